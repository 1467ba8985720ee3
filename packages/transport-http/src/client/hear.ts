import type { ClientResponse, EventReader } from "@effective-mcp/http/client"
import { Frame, JsonRpc, type Listener, TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"

/** An exchange whose answer is being read. */
export interface Hearing {
  readonly request: JsonRpc.Request
  readonly listener: Listener
  readonly depth: number
  /** Whether several messages may come in one array. */
  readonly allowsBatches: boolean
  /** Tells of something that is no message; it is left out. */
  readonly warn: (detail: string) => Effect.Effect<void>
}

export const malformed = (detail: string, id?: JsonRpc.RequestId): TransportError =>
  TransportError.make({ _tag: "Malformed", detail, ...(id === undefined ? undefined : { id }) })

/** The response to this request, or a failure for one that is to another. */
const settle = (response: JsonRpc.Response, { request }: Hearing): JsonRpc.Response | TransportError => {
  if (response.id === request.id) return response
  return !JsonRpc.isSuccess(response) && (response.id === undefined || response.id === null)
    ? { ...response, id: request.id }
    : malformed("a response to another request", request.id)
}

type Heard = JsonRpc.Response | TransportError | Effect.Effect<void>

const one = (said: JsonRpc.Message | Frame.Malformed, hearing: Hearing): Heard => {
  const message = Frame.taken(said)
  if (message instanceof Frame.Malformed) {
    const { about, detail, id } = message
    return about === "response" && (id ?? hearing.request.id) === hearing.request.id
      ? malformed(detail, hearing.request.id)
      : hearing.warn(detail)
  }
  return JsonRpc.isResponse(message) ? settle(message, hearing) : hearing.listener(message)
}

/** Hears one thing after the other, up to the response: frames, or what a batch holds. */
const all = <A>(
  things: ReadonlyArray<A>,
  frameOf: (thing: A) => Frame.Frame,
  hearing: Hearing
): Effect.Effect<JsonRpc.Response | undefined, TransportError> => {
  let at = 0
  let outcome: JsonRpc.Response | TransportError | undefined
  const take = (heard: JsonRpc.Response | TransportError | undefined): Effect.Effect<void> => {
    outcome = heard
    return Effect.void
  }
  const body = (): Effect.Effect<void, TransportError> => {
    const frame = frameOf(things[at++]!)
    if (Frame.isBatch(frame)) {
      return hearing.allowsBatches
        ? Effect.flatMap(all(frame, same, hearing), take)
        : hearing.warn("several messages at once, in a revision that has no batches")
    }
    const heard = one(frame, hearing)
    return Effect.isEffect(heard) && !(heard instanceof TransportError) ? heard : take(heard)
  }
  const isOpen = (): boolean => outcome === undefined && at < things.length
  return Effect.flatMap(Effect.whileLoop({ while: isOpen, body, step: () => {} }), () =>
    outcome instanceof TransportError ? Effect.fail(outcome) : Effect.succeed(outcome)
  )
}

const same = (frame: Frame.Frame): Frame.Frame => frame

const strict = new TextDecoder("utf-8", { fatal: true })

/** The response in a JSON body, which holds nothing else but in a batch. */
export const fromBody = (bytes: Uint8Array, hearing: Hearing): Effect.Effect<JsonRpc.Response, TransportError> => {
  const { request } = hearing
  let text
  try {
    text = strict.decode(bytes)
  } catch {
    return Effect.fail(malformed("the body is not UTF-8", request.id))
  }
  const frame = Frame.fromText(text, hearing.depth)
  if (!Frame.isBatch(frame)) {
    if (frame instanceof Frame.Malformed) return Effect.fail(malformed(frame.detail, request.id))
    if (!JsonRpc.isResponse(frame)) return Effect.fail(malformed("a message that is no response", request.id))
    const outcome = settle(frame, hearing)
    return outcome instanceof TransportError ? Effect.fail(outcome) : Effect.succeed(outcome)
  }
  if (!hearing.allowsBatches) return Effect.fail(malformed("a batch, in a revision that has none", request.id))
  return Effect.flatMap(all(frame, same, hearing), (found) =>
    found === undefined ? Effect.fail(malformed("a batch without the response", request.id)) : Effect.succeed(found)
  )
}

/** Reads an event stream up to the response; undefined when it ends before. */
export const fromStream = (
  http: ClientResponse.ClientResponse,
  reader: EventReader,
  hearing: Hearing
): Effect.Effect<JsonRpc.Response | undefined, TransportError> => {
  const parse = (text: string): Frame.Frame => Frame.fromText(text, hearing.depth)
  const next: Effect.Effect<JsonRpc.Response | undefined, TransportError> = Effect.flatMap(http.read, (bytes) => {
    if (bytes === undefined) return Effect.undefined
    const texts = reader.feed(bytes)
    const { failure } = reader
    return Effect.flatMap(all(texts, parse, hearing), (found) => {
      if (found !== undefined) return Effect.succeed(found)
      return failure === undefined ? next : Effect.fail(TransportError.make(failure))
    })
  })
  return next
}
