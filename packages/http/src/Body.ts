import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { KeepAlive } from "./KeepAlive.ts"
import { BodyError, type HttpRequest } from "./HttpRequest.ts"
import type { Headers } from "./HttpResponse.ts"
import type { Intake } from "./Intake.ts"
import { concat } from "./concat.ts"

export interface Options {
  /** The most bytes that a body may have, and expand to. */
  readonly limit: number
  /** Whether compressed bodies (gzip, deflate) are taken. Default false. */
  readonly compressed?: boolean | undefined
  /** Counts it with all others that come at once, as it comes and as it expands. Default none: it is bounded alone. */
  readonly intake?: Intake | undefined
}

const formats: ReadonlyMap<string, "gzip" | "deflate"> = new Map([
  ["gzip", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate", "deflate"]
])

/** Bytes that are expanded at once: some runtimes hold all that comes of one part before any of it is read. */
const SLICE = 1024

/** Puts the bytes in, a slice after the other as they are taken; what is wrong with them comes out of the other end. */
const feed = async (into: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>, bytes: Uint8Array): Promise<void> => {
  try {
    for (let at = 0; at < bytes.length; at += SLICE) {
      await into.write(new Uint8Array(bytes.slice(at, at + SLICE)))
    }
    await into.close()
  } catch {}
}

const fail = (reason: BodyError["reason"]): Effect.Effect<never, BodyError> =>
  Effect.suspend(() => Effect.fail(new BodyError({ reason })))

/** Counts what comes out, and stops at the limit: a small body may expand without end. */
const expand = (
  bytes: Uint8Array,
  format: "gzip" | "deflate",
  { intake, limit }: Options
): Effect.Effect<Uint8Array, BodyError> =>
  Effect.tryPromise({
    try: async (signal) => {
      const through = new DecompressionStream(format)
      void feed(through.writable.getWriter(), bytes)
      const reader = through.readable.getReader()
      const parts: Array<Uint8Array> = []
      let size = 0
      let reason: BodyError["reason"] | undefined
      const stop = (why: BodyError["reason"]): void => {
        reason = why
        reader.cancel().catch(() => {})
      }
      try {
        while (!signal.aborted) {
          const { done, value } = await reader.read()
          if (done) break
          size += value.length
          if (size > limit) stop("TooLarge")
          else if (intake?.take(stop, bytes.length + size) === false) stop("Busy")
          if (reason !== undefined) break
          parts.push(value)
        }
        if (reason !== undefined) throw new BodyError({ reason })
        return concat(parts, size)
      } finally {
        intake?.give(stop)
      }
    },
    catch: (cause) => (cause instanceof BodyError ? cause : new BodyError({ reason: "Broken" }))
  })

/**
 * Reads a request's body under a limit: refused by its declared length before anything is read, counted while it is
 * read, and again while it expands.
 */
export const read = (request: HttpRequest, options: Options): Effect.Effect<Uint8Array, BodyError> => {
  const { compressed = false, intake, limit } = options
  const encoding = request.header("content-encoding")?.trim().toLowerCase() ?? "identity"
  const format = formats.get(encoding)
  if (encoding !== "identity" && encoding !== "" && !(compressed && format !== undefined)) return fail("Encoded")
  const length = request.header("content-length")
  if (length !== undefined && Number(length) > limit) return fail("TooLarge")
  const body = request.body(limit, intake)
  return format === undefined ? body : Effect.flatMap(body, (bytes) => expand(bytes, format, options))
}

const refusals = {
  TooLarge: { status: 413, message: "Invalid request: the body is too large" },
  Encoded: { status: 415, message: "Invalid request: this encoding of the body is not supported" },
  Broken: { status: 400, message: "Invalid request: the body could not be read" },
  Busy: { status: 503, message: "Too many bodies at once", headers: { "retry-after": "1" } }
} as const

/** How a request is turned away whose body could not be had; `Busy` is the server's trouble, all else the client's. */
export const refusalOf = ({
  reason
}: BodyError): { readonly status: number; readonly message: string; readonly headers?: Headers } => refusals[reason]

/**
 * Reads a body in bounded time: a client that sends it byte by byte holds nothing for ever. After two beats `onLate` is
 * told, and whoever reads is interrupted.
 */
export const inTime = <A, E>(reading: Effect.Effect<A, E>, beats: KeepAlive, onLate: () => void): Effect.Effect<A, E> =>
  // most bodies are there
  Exit.isExit(reading)
    ? reading
    : Effect.withFiber((fiber) => {
        let count = 0
        const watch = {
          beat: () => {
            if (++count < 2) return
            onLate()
            fiber.interruptUnsafe()
          }
        }
        beats.add(watch)
        return Effect.ensuring(
          reading,
          Effect.sync(() => beats.remove(watch))
        )
      })
