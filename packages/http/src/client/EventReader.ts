import { limits } from "@effective-mcp/protocol/Limits"
import type { Reason } from "@effective-mcp/protocol/TransportError"
import { createParser, type EventSourceParser } from "eventsource-parser"

/** What an id of an event may hold, to be sent back in a header. */
const ID = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Room for the name of a field, beside what it holds. */
const FIELD = 64

/**
 * Reads an event stream from its bytes, cut anywhere. Only events without a name, or called `message`, that hold
 * something count.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventReader {
  /** The id to come back with; undefined when there is none, or none that a header could carry. */
  lastId: string | undefined
  /** How long the server wants to be left alone before one comes back, in ms. */
  retryMs: number | undefined
  /** Why the stream cannot be read any further. What was read before it counts. */
  failure: Reason | undefined
  private readonly decoder = new TextDecoder("utf-8", { fatal: true })
  private readonly parser: EventSourceParser
  private read: Array<string> = []

  /**
   * @param limit the most characters of one event
   * @param onOther told of events of other names, in their order among all
   */
  constructor(
    limit: number,
    from?: { readonly lastId: string | undefined; readonly retryMs: number | undefined },
    onOther?: (event: string, data: string) => void
  ) {
    this.lastId = from?.lastId
    this.retryMs = from?.retryMs
    const isTooLarge = (): void => {
      this.failure ??= { _tag: "TooLarge", limit }
    }
    this.parser = createParser({
      maxBufferSize: limit + FIELD,
      onEvent: ({ data, event = "message" }) => {
        if (this.failure !== undefined) return
        if (data.length > limit) return isTooLarge()
        if (event !== "message") onOther?.(event, data)
        else if (data !== "") this.read.push(data)
      },
      onId: (id) => {
        this.lastId = id.length <= limits.eventIdLength && ID.test(id) ? id : undefined
      },
      onRetry: (ms) => {
        this.retryMs = ms
      },
      onError: ({ type }) => {
        if (type === "max-buffer-size-exceeded") isTooLarge()
      }
    })
  }

  /** What the events that end in these bytes hold. */
  feed(bytes: Uint8Array): ReadonlyArray<string> {
    const read: Array<string> = []
    if (this.failure !== undefined) return read
    this.read = read
    let text
    try {
      text = this.decoder.decode(bytes, { stream: true })
    } catch {
      this.failure = { _tag: "Malformed", detail: "the event stream is not UTF-8" }
      return read
    }
    this.parser.feed(text)
    return read
  }
}
