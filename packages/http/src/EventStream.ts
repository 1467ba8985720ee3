import type { Headers } from "./HttpResponse.ts"

/**
 * The head of an event stream: nothing on the way may keep it, change it or hold it back.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export const headers: Headers = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no"
}

/** A line that says nothing: it keeps what stands between the two from closing a silent stream. */
export const comment = ":\n\n"

export interface Event {
  /** Its name; without one it is a message. One line. */
  readonly event?: string | undefined
  /** One line of text. */
  readonly data: string
  /** Without line ends and NUL. */
  readonly id?: string | undefined
  /** How long a client should wait before it comes back, in ms. */
  readonly retryMs?: number | undefined
}

/** One event, as text. */
export const encode = ({ data, event, id, retryMs }: Event): string => {
  let text = event === undefined ? "" : `event: ${event}\n`
  if (id !== undefined) text += `id: ${id}\n`
  if (retryMs !== undefined) text += `retry: ${retryMs}\n`
  return `${text}data: ${data}\n\n`
}
