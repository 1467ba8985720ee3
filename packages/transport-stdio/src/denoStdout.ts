import type { Output } from "./streams.ts"

/** Deno's own, where there is one. */
declare const Deno: { readonly stdout: { readonly writable: WritableStream<Uint8Array> } } | undefined

const encoder = new TextEncoder()

/** Bytes on their way from which on the next write should wait. */
const ENOUGH = 64 * 1024

/**
 * Writes to stdout in the background: on Deno `process.stdout` stands still, timers and all, until somebody reads. Undefined on
 * other runtimes; one at a time.
 */
export const openDenoStdout = (): { readonly write: Output["write"]; readonly release: () => void } | undefined => {
  if (typeof Deno === "undefined") return undefined
  const writer = Deno.stdout.writable.getWriter()
  writer.closed.catch(() => {})
  let onTheirWay = 0
  return {
    write: (text, done) => {
      const bytes = encoder.encode(text)
      onTheirWay += bytes.length
      const end = (error?: Error): void => {
        onTheirWay -= bytes.length
        done(error)
      }
      writer.write(bytes).then(() => end(), end)
      return onTheirWay < ENOUGH
    },
    release: () => writer.releaseLock()
  }
}
