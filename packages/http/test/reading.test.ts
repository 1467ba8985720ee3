import { constants, deflateRawSync } from "node:zlib"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Body, EventStream, MediaType } from "../src/index.ts"
import { requestOf } from "./support.ts"

const pack = (text: string, format: "gzip" | "deflate") =>
  Effect.promise(async () => {
    const through = new Blob([text]).stream().pipeThrough(new CompressionStream(format))
    return new Uint8Array(await new Response(through).arrayBuffer())
  })

const outcome = (request: ReturnType<typeof requestOf>, options: Body.Options) =>
  Effect.match(Body.read(request, options), {
    onSuccess: (bytes) => new TextDecoder().decode(bytes),
    onFailure: ({ reason }) => reason
  })

describe("a body", () => {
  it.live("that says it is too long is never read", () =>
    Effect.gen(function* () {
      const request = requestOf({ headers: { "content-length": "11" }, body: "short" })
      expect(yield* outcome(request, { limit: 10 })).toBe("TooLarge")
      expect(request.read()).toBe(0)
      for (const length of ["10", "0", "-1", "x"]) {
        expect(yield* outcome(requestOf({ headers: { "content-length": length }, body: "a" }), { limit: 10 })).toBe("a")
      }
    })
  )

  it.live("in an encoding is not taken unless that is asked for, and then counted expanded", () =>
    Effect.gen(function* () {
      for (const format of ["gzip", "deflate"] as const) {
        const headers = { "content-encoding": format }
        const small = requestOf({ headers, body: yield* pack("hello", format) })
        expect(yield* outcome(small, { limit: 100 })).toBe("Encoded")
        expect(small.read()).toBe(0)
        expect(yield* outcome(small, { limit: 100, compressed: true })).toBe("hello")
        const bomb = requestOf({ headers, body: yield* pack("x".repeat(10_000_000), format) })
        expect(yield* outcome(bomb, { limit: 100_000, compressed: true })).toBe("TooLarge")
        const broken = requestOf({ headers, body: "not at all" })
        expect(yield* outcome(broken, { limit: 100, compressed: true })).toBe("Broken")
      }
      const text = Array.from({ length: 20_000 }, (_, n) => n.toString(36)).join()
      for (const format of ["gzip", "deflate"] as const) {
        const long = requestOf({ headers: { "content-encoding": format }, body: yield* pack(text, format) })
        expect(yield* outcome(long, { limit: text.length, compressed: true })).toBe(text)
      }
      const many = requestOf({ headers: { "content-encoding": "gzip, gzip" }, body: "x" })
      expect(yield* outcome(many, { limit: 100, compressed: true })).toBe("Encoded")
      const plain = requestOf({ headers: { "content-encoding": "Identity" }, body: "x" })
      expect(yield* outcome(plain, { limit: 100 })).toBe("x")
    })
  )
})

describe("a small body that expands without end", () => {
  it.live("takes no more memory than its limit and a little", () =>
    Effect.gen(function* () {
      const mebibyte = 1024 * 1024
      const zeros = deflateRawSync(new Uint8Array(mebibyte), { finishFlush: constants.Z_SYNC_FLUSH })
      const body = Buffer.concat([Uint8Array.of(0x78, 0x9c), ...Array.from({ length: 800 }, () => zeros)])
      expect(body.length).toBeLessThan(2 * mebibyte)
      const before = process.memoryUsage().rss
      const bomb = requestOf({ headers: { "content-encoding": "deflate" }, body: new Uint8Array(body) })
      expect(yield* outcome(bomb, { limit: 4 * mebibyte, compressed: true })).toBe("TooLarge")
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * mebibyte)
    })
  )
})

describe("media types", () => {
  it("are compared without parameters and case", () => {
    for (const [text, essence] of [
      ["application/json", "application/json"],
      [" Application/JSON ; charset=utf-8", "application/json"],
      ["text/plain; a=application/json", "text/plain"],
      ["", ""]
    ] as const) {
      expect(MediaType.essence(text)).toBe(essence)
    }
  })

  it("are accepted by name, by kind or all, unless their weight is zero", () => {
    const types = ["application/json", "text/event-stream"]
    for (const [accept, holds] of [
      [undefined, true],
      ["*/*", true],
      ["application/json,text/event-stream", true],
      ["application/*;q=0.1, TEXT/*", true],
      ["application/json", false],
      ["", false],
      ["*/*;q=0", false],
      ["application/json, text/event-stream; q=0.000", false],
      ["application/json, text/event-stream; q=0.001", true],
      ["application/jsonx, text/event-stream", false],
      ["text/event-stream;q=0, */*", false],
      ["*/*, application/*;q=0", false],
      ["text/*;q=0, text/event-stream, */*;q=0.1", true]
    ] as const) {
      expect([accept, MediaType.accepts(accept, types)]).toEqual([accept, holds])
    }
  })
})

describe("events", () => {
  it("are lines and an empty line", () => {
    expect(EventStream.encode({ data: "{}" })).toBe("data: {}\n\n")
    expect(EventStream.encode({ data: "", id: "a.1", retryMs: 250 })).toBe("id: a.1\nretry: 250\ndata: \n\n")
  })
})
