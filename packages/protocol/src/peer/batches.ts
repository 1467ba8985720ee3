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

/** The answer to one batch, as far as it has come. */
interface Answer {
  open: number
  readonly responses: Array<Response>
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

  const agree = (response: Response): void => {
    isOn = isSuccess(response) && allowsBatches(response.result.protocolVersion)
  }
  /** One that is too long, or that holds what cannot be written, goes out in parts. */
  const write = (responses: ReadonlyArray<Response>): Effect.Effect<void, TransportError> =>
    Effect.catchIf(
      send(responses),
      ({ reason }) => reason._tag === "TooLarge" || reason._tag === "Unsendable",
      () => {
        const [first] = responses
        if (first === undefined) return Effect.void
        if (responses.length === 1) return send([failure(first.id ?? undefined, internal)])
        const half = responses.length >> 1
        return Effect.andThen(write(responses.slice(0, half)), write(responses.slice(half)))
      }
    )
  const settle = (answer: Answer): Effect.Effect<void, TransportError> => {
    if (answer.open > 0 || !answers.delete(answer)) return Effect.void
    return answer.responses.length === 0 ? Effect.void : write(answer.responses)
  }
  /** Why an entry is not heard; one that is belongs to the answer. */
  const refuse = (entry: Request, answer: Answer): Response | undefined => {
    if (entry.method === "initialize") return failure(entry.id, alone)
    if (asked.has(entry.id)) return failure(undefined, inUse)
    if (answers.size > OPEN) return failure(entry.id, tooMany)
    asked.set(entry.id, answer)
    answer.open++
    return undefined
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
    /** Nothing more will be said of a request of theirs. */
    forget: ({ params }: Notification): Effect.Effect<void, TransportError> => {
      const id = params?.requestId as RequestId // cast: any value may be looked up
      const answer = asked.get(id)
      if (!asked.delete(id) || answer === undefined) return Effect.void
      answer.open--
      return settle(answer)
    },
    /**
     * What is to be heard of a batch, one by one, and what is owed for the rest of it. `owe` makes the error that
     * answers an entry which is no message, if one does.
     */
    open: (batch: Batch, owe: (entry: Malformed) => Response | undefined): Opened => {
      const answer: Answer = { open: 0, responses: [] }
      answers.add(answer)
      const frames = batch.filter((entry) => {
        const isMessage = !(entry instanceof Malformed)
        const error = isMessage ? (isRequest(entry) ? refuse(entry, answer) : undefined) : owe(entry)
        if (error !== undefined) answer.responses.push(error)
        return error === undefined
      })
      return { frames, owed: Effect.suspend(() => settle(answer)) }
    },
    /** Sends on what we say, but for the responses that belong to a batch: the last of them brings them all. */
    send: (message: Parameters<Connection["send"]>[0]): Effect.Effect<void, TransportError> => {
      if (!isResponse(message)) return send(message)
      const id = message.id as RequestId // cast: an error without an id finds nothing
      if (opening !== undefined && id === opening) {
        opening = undefined
        agree(message)
        return send(message)
      }
      if (!isOn) return send(message)
      const answer = asked.get(id)
      if (!asked.delete(id) || answer === undefined) return send(message)
      answer.open--
      answer.responses.push(message)
      return settle(answer)
    }
  }
}
