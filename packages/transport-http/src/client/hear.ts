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

type Heard = JsonRpc.Response | TransportError | Effect.Effect<void> | undefined

const one = (message: JsonRpc.Message | Frame.Malformed, hearing: Hearing): Heard => {
  if (message instanceof Frame.Malformed) {
    const { about, detail, id } = message
    return about === "response" && (id ?? hearing.request.id) === hearing.request.id
      ? malformed(detail, hearing.request.id)
      : hearing.warn(detail)
  }
  return JsonRpc.isResponse(message) ? settle(message, hearing) : hearing.listener(message)
}

/** Hears messages one after the other, up to the response. */
const all = (
  messages: ReadonlyArray<JsonRpc.Message | Frame.Malformed>,
  hearing: Hearing
): Effect.Effect<JsonRpc.Response | undefined, TransportError> =>
  Effect.suspend(() => {
    let at = 0
    let outcome: JsonRpc.Response | TransportError | undefined
    return Effect.flatMap(
      Effect.whileLoop({
        while: () => outcome === undefined && at < messages.length,
        body: () => {
          const heard = one(messages[at++]!, hearing)
          if (Effect.isEffect(heard) && !(heard instanceof TransportError)) return heard
          outcome = heard
          return Effect.void
        },
        step: () => {}
      }),
      () => (outcome instanceof TransportError ? Effect.fail(outcome) : Effect.succeed(outcome))
    )
  })

/** What one body or event holds, as messages; a text says why it may not come like this. */
const messagesOf = (
  frame: Frame.Frame,
  { allowsBatches }: Hearing
): ReadonlyArray<JsonRpc.Message | Frame.Malformed> | string => {
  if (!Frame.isBatch(frame)) return [frame]
  return allowsBatches ? frame : "several messages at once, in a revision that has no batches"
}

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
  const messages = messagesOf(frame, hearing)
  if (typeof messages === "string") return Effect.fail(malformed(messages, request.id))
  return Effect.flatMap(all(messages, hearing), (found) =>
    found === undefined ? Effect.fail(malformed("a batch without the response", request.id)) : Effect.succeed(found)
  )
}

/** Reads an event stream up to the response; undefined when it ends before. */
export const fromStream = (
  http: ClientResponse.ClientResponse,
  reader: EventReader,
  hearing: Hearing
): Effect.Effect<JsonRpc.Response | undefined, TransportError> => {
  const hear = (texts: ReadonlyArray<string>): Effect.Effect<JsonRpc.Response | undefined, TransportError> => {
    let at = 0
    let found: JsonRpc.Response | undefined
    return Effect.map(
      Effect.whileLoop({
        while: () => found === undefined && at < texts.length,
        body: () => {
          const messages = messagesOf(Frame.fromText(texts[at++]!, hearing.depth), hearing)
          return typeof messages === "string" ? Effect.as(hearing.warn(messages), undefined) : all(messages, hearing)
        },
        step: (response) => {
          found = response
        }
      }),
      () => found
    )
  }
  const next: Effect.Effect<JsonRpc.Response | undefined, TransportError> = Effect.flatMap(http.read, (bytes) => {
    if (bytes === undefined) return Effect.undefined
    const texts = reader.feed(bytes)
    const { failure } = reader
    return Effect.flatMap(hear(texts), (found) => {
      if (found !== undefined) return Effect.succeed(found)
      return failure === undefined ? next : Effect.fail(TransportError.make(failure))
    })
  })
  return next
}
