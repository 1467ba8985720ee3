import * as Effect from "effect/Effect"
import type { Connection } from "../Connection.ts"
import { ErrorCode } from "../ErrorCode.ts"
import { type Batch, type Frame, Malformed } from "../Frame.ts"
import {
  failure,
  isRequest,
  isResponse,
  isSuccess,
  type Message,
  type Notification,
  type Request,
  type RequestId,
  type Response
} from "../JsonRpc.ts"
import { limits } from "../Limits.ts"
import { allowsBatches } from "../revision/registry.ts"
import { internal } from "../RpcError.ts"
import type { TransportError } from "../TransportError.ts"
import { errorFor } from "./unwritable.ts"
import { weigh } from "./weigh.ts"

/** The answer to one batch, as far as it has come. */
interface Answer {
  open: number
  responses: Array<Response>
  /** About how many bytes they take. */
  bytes: number
}

/** What comes of a batch that was read. */
interface Opened {
  readonly frames: ReadonlyArray<Frame>
  readonly owed: Effect.Effect<void, TransportError>
}

type Send = (message: Message | ReadonlyArray<Response>) => Effect.Effect<void, TransportError>

const inUse = { code: ErrorCode.InvalidRequest, message: "Invalid request: the id is already in use" }
const alone = { code: ErrorCode.InvalidRequest, message: "Invalid request: initialize is never part of a batch" }
const tooMany = { ...internal, message: "Too many requests" }

/** Batches that may be open; the entries of the next are refused. */
const OPEN = limits.handlers
/** Bytes of responses that wait for others of their batches, about; over it, what there is goes out. */
const HELD = limits.messageBytes / 2

const isWritable = (response: Response): boolean => {
  try {
    return JSON.stringify(response) !== undefined
  } catch {
    return false
  }
}

/**
 * The batches of one pipe: what is asked in one array is answered in one array. They are on while the revision that the
 * pipe's `initialize` has agreed on has them.
 *
 * @see https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export const make = (send: Send) => {
  let isOn = false
  /** The `initialize` of theirs that we have yet to answer. */
  let opening: RequestId | undefined
  /** Requests of theirs that are not answered yet, with the batch that they came in; counted only while batches are on. */
  const asked = new Map<RequestId, Answer | undefined>()
  const answers = new Set<Answer>()
  let held = 0
  let isEnding = false

  const agree = (response: Response): void => {
    if (isSuccess(response)) isOn = allowsBatches(response.result.protocolVersion)
  }
  const replace = ({ id }: Response, error: TransportError): Effect.Effect<Response> =>
    Effect.as(
      Effect.logError("a response could not be written", error),
      failure(id ?? undefined, errorFor(error) ?? internal)
    )
  /** One that is too long goes out alone, and an error goes out in the place of what cannot. */
  const write = (responses: ReadonlyArray<Response>): Effect.Effect<void, TransportError> =>
    Effect.catchTag(send(responses), "TransportError", (error) => {
      if (errorFor(error) === undefined) return Effect.fail(error)
      if (responses.length > 1 && error.reason._tag === "TooLarge") {
        return Effect.forEach(responses, (response) => write([response]), { discard: true })
      }
      const writable = Effect.forEach(responses, (response) =>
        responses.length > 1 && isWritable(response) ? Effect.succeed(response) : replace(response, error)
      )
      return Effect.flatMap(writable, send)
    })
  /** Sends what has come of an answer. */
  const flush = (answer: Answer): Effect.Effect<void, TransportError> => {
    const { responses } = answer
    held -= answer.bytes
    answer.bytes = 0
    answer.responses = []
    return responses.length === 0 ? Effect.void : write(responses)
  }
  const collect = (answer: Answer, response: Response): Effect.Effect<void, TransportError> => {
    const bytes = weigh(response)
    const first = held + bytes > HELD ? flush(answer) : Effect.void
    answer.responses.push(response)
    answer.bytes += bytes
    held += bytes
    return Effect.andThen(first, settle(answer))
  }
  const settle = (answer: Answer): Effect.Effect<void, TransportError> =>
    Effect.suspend(() => {
      if (answer.open > 0 && !isEnding) return Effect.void
      if (answer.open === 0) answers.delete(answer)
      return flush(answer)
    })
  /** Why an entry is not heard; one that is belongs to the answer. */
  const refuse = (entry: Request, answer: Answer): Response | undefined => {
    if (entry.method === "initialize") return failure(entry.id, alone)
    if (asked.has(entry.id)) return failure(undefined, inUse)
    if (answers.size > OPEN) return failure(entry.id, tooMany)
    asked.set(entry.id, answer)
    answer.open++
    return undefined
  }

  /** The batch that a request came in, which has one fewer open from now on. */
  const leave = (id: unknown): Answer | undefined => {
    if (asked.size === 0) return undefined
    const answer = asked.get(id as RequestId) // cast: any value may be looked up
    asked.delete(id as RequestId) // cast: the same
    if (answer !== undefined) answer.open--
    return answer
  }

  return {
    isOn: () => isOn,
    /** What we were answered, or are about to answer, may agree on a revision. */
    agree,
    /** Takes note of a request of theirs that came alone. */
    note: ({ id, method }: Request): void => {
      if (method === "initialize") opening = id
      else if (isOn && !asked.has(id)) asked.set(id, undefined)
    },
    /** Nothing more will be said of a request of theirs; what that leaves to be said, if anything. */
    forget: ({ params }: Notification): Effect.Effect<void, TransportError> | undefined => {
      const answer = leave(params?.requestId)
      return answer && settle(answer)
    },
    /** The peer has said its last word: what has come of each answer goes out now, and the rest as it comes. */
    end: Effect.suspend(() => {
      isEnding = true
      return Effect.forEach([...answers], settle, { discard: true })
    }),
    /**
     * What is to be heard of a batch, one by one, and what is owed for the rest of it. `owe` makes the error that
     * answers an entry which is no message, if one does.
     */
    open: (batch: Batch, owe: (entry: Malformed) => Response | undefined): Opened => {
      const answer: Answer = { open: 0, responses: [], bytes: 0 }
      answers.add(answer)
      const frames = batch.filter((entry) => {
        const isMessage = !(entry instanceof Malformed)
        const error = isMessage ? (isRequest(entry) ? refuse(entry, answer) : undefined) : owe(entry)
        if (error !== undefined) answer.responses.push(error)
        return error === undefined
      })
      return { frames, owed: settle(answer) }
    },
    /** Sends on what we say, but for the responses that belong to a batch: the last of them brings them all. */
    send: (message: Parameters<Connection["send"]>[0]): Effect.Effect<void, TransportError> => {
      if (!isResponse(message)) return send(message)
      if (opening !== undefined && message.id === opening) {
        opening = undefined
        agree(message)
        return send(message)
      }
      const answer = leave(message.id)
      return answer === undefined ? send(message) : collect(answer, message)
    }
  }
}
