import { Lines, JsonRpc } from "@effective-mcp/protocol"
import { Stdout } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const message = Lines.encode(JsonRpc.request(1, "é—漢🎉", { text: "a\nb" }))
const encoder = new TextEncoder()
const faultsIn = (output: string | Uint8Array) => Stdout.check(output).findings.map(({ fault, line }) => [fault, line])

describe("the output of a server", () => {
  it("is clean when it holds messages, one a line, and nothing else", () => {
    expect(Stdout.check("")).toStrictEqual({ messages: 0, findings: [], total: 0 })
    expect(Stdout.check(message.repeat(3))).toStrictEqual({ messages: 3, findings: [], total: 0 })
    expect(Stdout.check(`[${message.trimEnd()}]\n`)).toMatchObject({ messages: 1, total: 0 })
  })

  const dirty: ReadonlyArray<readonly [string, string | Uint8Array, ReadonlyArray<readonly [string, number]>]> = [
    ["a log line", `${message}Listening on port 3000\n${message}`, [["NotJson", 2]]],
    ["JSON that is no message", `{"level":"info"}\n${message}`, [["NotAMessage", 1]]],
    ["a batch with something else in it", `[${message.trimEnd()},1]\n`, [["NotAMessage", 1]]],
    [
      "blank lines",
      `\n${message}  \r\n${message}`,
      [
        ["Blank", 1],
        ["Blank", 3]
      ]
    ],
    ["no newline at the end", message + message.trimEnd(), [["NoNewline", 2]]],
    [
      "half a message at the end",
      `${message}{"jsonrpc"`,
      [
        ["NotJson", 2],
        ["NoNewline", 2]
      ]
    ],
    ["a byte order mark", `\uFEFF${message}${message}`, [["ByteOrderMark", 1]]],
    ["a mark where it is none", `${message}\uFEFF${message}`, [["NotJson", 2]]],
    ["bytes that are no text", Uint8Array.of(0x7b, 0xff, 0x7d, 10), [["NotUtf8", 1]]],
    ["two messages on a line", message.trimEnd() + message, [["NotJson", 1]]],
    [
      "a message over several lines",
      JSON.stringify({ jsonrpc: "2.0", method: "x" }, null, 1) + "\n",
      [
        ["NotJson", 1],
        ["NotJson", 2],
        ["NotJson", 3],
        ["NotJson", 4]
      ]
    ]
  ]
  for (const [what, output, found] of dirty) it(`is not: ${what}`, () => expect(faultsIn(output)).toStrictEqual(found))

  it("is cut into the same lines however it is read", () => {
    const output = encoder.encode(`\uFEFF${message}oops\n\n${message}{`)
    const whole = Stdout.check(output)
    for (let at = 0; at <= output.length; at++) {
      const checker = Stdout.checker()
      checker.push(output.subarray(0, at))
      checker.push(output.subarray(at))
      expect(checker.end()).toStrictEqual(whole)
    }
  })

  it("may be read into the same memory again and again", () => {
    const checker = Stdout.checker()
    const memory = new Uint8Array(1)
    for (const byte of encoder.encode(message)) {
      memory[0] = byte
      checker.push(memory)
    }
    expect(checker.end()).toMatchObject({ messages: 1, total: 0 })
  })

  it("is not kept: findings, their text and a line have an end", () => {
    const { findings, total } = Stdout.check(`${"x".repeat(10_000)}\n`.repeat(1000))
    expect([findings.length, total]).toStrictEqual([100, 1000])
    expect(findings.every(({ text }) => text.length <= 120)).toBe(true)
    const checker = Stdout.checker({ messageBytes: 100 })
    for (let i = 0; i < 1000; i++) checker.push(new Uint8Array(60).fill(120))
    expect(checker.end()).toMatchObject({ total: 1, findings: [{ fault: "TooLong", line: 1 }] })
  })

  it.effect("can be a stream of Effect, or of the web", () =>
    Effect.gen(function* () {
      const chunks = [message.slice(0, 20), message.slice(20), "oops\n"].map((text) => encoder.encode(text))
      const right = {
        messages: 1,
        findings: [{ fault: "NotJson", line: 2, detail: "not JSON", text: "oops" }],
        total: 1
      }
      expect(yield* Stdout.checkStream(Stream.fromIterable(chunks))).toStrictEqual(right)
      const web = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (const chunk of chunks) controller.enqueue(chunk)
          controller.close()
        }
      })
      expect(yield* Stdout.checkStream(web)).toStrictEqual(right)
    })
  )

  it.effect("fails typed when it cannot be read", () =>
    Effect.gen(function* () {
      const broken = new ReadableStream<Uint8Array>({ start: (controller) => controller.error(new Error("gone")) })
      expect(yield* Effect.flip(Stdout.checkStream(broken))).toMatchObject({ reason: { _tag: "Closed" } })
    })
  )

  it.effect("is told line by line, with what would disturb a terminal written out", () =>
    Effect.gen(function* () {
      yield* Stdout.expectClean(Stdout.check(message))
      const report = Stdout.check(`${message}\u001b[31mred\n${"x\n".repeat(20)}`)
      const error = yield* Effect.flip(Stdout.expectClean(report))
      expect(error._tag).toBe("DirtyStdout")
      expect(error.message).toContain(`line 2: not JSON: "\\u001b[31mred"`)
      expect(error.message).toContain("and 11 more")
    })
  )
})
