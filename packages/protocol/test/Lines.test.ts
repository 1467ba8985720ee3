import { Frame, JsonRpc, Lines } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"
import { held } from "./memory.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const join = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]))

/** What a malformed line is reported as, or the message. */
const shown = (frame: Frame.Frame): unknown =>
  frame instanceof Frame.Malformed ? [frame.code, frame.detail, frame.line, frame.bytes] : frame

/** All that is read from these pieces, one read each, and from the end after them; and whether reading was refused. */
const read = (pieces: ReadonlyArray<Uint8Array>, options?: Parameters<typeof Lines.splitter>[0]) => {
  const frames: Array<unknown> = []
  const splitter = Lines.splitter(options)
  const keep = (frame: Frame.Frame) => void frames.push(shown(frame))
  const isWhole = pieces.every((piece) => splitter.push(piece, keep)) && splitter.end(keep)
  return { frames, isWhole }
}

const whole = (frames: ReadonlyArray<unknown>) => ({ frames, isWhole: true })

const ping = JsonRpc.request(1, "ping")
const line = Lines.encode(ping)

describe("encode", () => {
  it("is one line, whatever the text holds", () => {
    const message = JsonRpc.success(1, { text: "two\nlines\r\n\u2028\u2029\u0085 🦜 \ud83e \u0000" })
    const text = Lines.encode(message)
    expect(text.match(/[\n\r]/g)).toStrictEqual(["\n"])
    expect(read([bytesOf(text)])).toStrictEqual(whole([message]))
  })

  it("is one line for several responses", () => {
    const responses = [JsonRpc.success(1, {}), JsonRpc.success(2, {})]
    expect(read([bytesOf(Lines.encode(responses))])).toStrictEqual(whole([responses]))
  })
})

describe("splitter", () => {
  it("finds every message, however its bytes are cut in two", () => {
    const messages = [
      JsonRpc.request("é", "🦜", { ключ: "значение", "👩‍👩‍👧": ["\u2028", "ÿ", "\u{10ffff}"] }),
      JsonRpc.notification("naïve", { text: "日本語" }),
      ping
    ]
    const bytes = bytesOf(messages.map(Lines.encode).join(""))
    for (let at = 0; at <= bytes.length; at++) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toStrictEqual(whole(messages))
    }
  })

  it("finds every message, however its bytes are cut in three", () => {
    const message = JsonRpc.notification("🦜é", { 語: "ÿ" })
    const bytes = bytesOf(Lines.encode(message))
    for (let from = 0; from <= bytes.length; from++) {
      for (let to = from; to <= bytes.length; to++) {
        const pieces = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
        expect(read(pieces)).toStrictEqual(whole([message]))
      }
    }
  })

  it("drops a byte order mark from the very start, in one piece or in several, and nowhere else", () => {
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf)
    const rest = bytesOf(line)
    const [a, b, c] = [mark.subarray(0, 1), mark.subarray(1, 2), mark.subarray(2)]
    for (const pieces of [
      [join(mark, rest)],
      [mark, rest],
      [a, b, c, rest],
      [a, join(b, c, rest)],
      [join(a, b), join(c, rest)]
    ]) {
      expect(read(pieces)).toStrictEqual(whole([ping]))
    }
    const text = JsonRpc.request(1, "x", { text: "\ufeff" })
    expect(read([bytesOf(Lines.encode(text))])).toStrictEqual(whole([text]))
    expect(read([join(rest, mark, rest)])).toStrictEqual(whole([ping, [-32700, "not JSON", 2, line.length + 2]]))
    expect(read([join(a, b), rest])).toStrictEqual(whole([[-32700, "not UTF-8", 1, line.length + 1]]))
    expect(read([a, b])).toStrictEqual(whole([[-32700, "not UTF-8", 1, 2]]))
    expect(read([mark])).toStrictEqual(whole([]))
  })

  it("takes CR LF, blank lines, indentation and a missing last newline", () => {
    const text = line.trim()
    for (const lines of [
      `${text}\r\n`,
      `\n\n \t\n${text}\n\r\n`,
      `   \t${text}   \n`,
      text,
      `\n${text}`,
      `${text}\r`
    ]) {
      expect(read([bytesOf(lines)])).toStrictEqual(whole([ping]))
      expect(read([...bytesOf(lines)].map((byte) => Uint8Array.of(byte)))).toStrictEqual(whole([ping]))
    }
  })

  it("refuses pretty-printed JSON line by line, and reads on", () => {
    const pretty = JSON.stringify(ping, undefined, 2)
    const { frames, isWhole } = read([bytesOf(`${pretty}\n${line}`)])
    expect(isWhole).toBe(true)
    expect(frames).toStrictEqual([
      [-32700, "not JSON", 1, 1],
      [-32700, "not JSON", 2, 19],
      [-32700, "not JSON", 3, 10],
      [-32700, "not JSON", 4, 18],
      [-32700, "not JSON", 5, 1],
      ping
    ])
  })

  it("refuses a line that is not UTF-8, and loses no other of the same read", () => {
    const bad = Uint8Array.of(0x22, 0xc3, 0x28, 0x22, 0x0a)
    const cut = bytesOf("é\n").subarray(0, 1)
    const real = JsonRpc.notification("x", { text: "\ufffd" })
    const bytes = join(bytesOf(line), bad, bytesOf(Lines.encode(real)), cut, Uint8Array.of(0x0a), bytesOf(line))
    const expected = [ping, [-32700, "not UTF-8", 2, 4], real, [-32700, "not UTF-8", 4, 1], ping]
    expect(read([bytes])).toStrictEqual(whole(expected))
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toStrictEqual(whole(expected))
  })

  it("says where a malformed line stood, and nothing of what it held", () => {
    const { frames } = read([bytesOf(`${line}\nSECRET-CANARY\n`), bytesOf("é SECRET"), bytesOf("-CANARY\n")])
    expect(frames).toStrictEqual([ping, [-32700, "not JSON", 3, 13], [-32700, "not JSON", 4, 16]])
  })

  it("keeps reading through 10,000 lines of noise", () => {
    const noise = Array.from({ length: 10_000 }, (_, n) => `[info] line ${n}\n`)
    const { frames, isWhole } = read([bytesOf(noise.join("")), bytesOf(line)])
    expect(isWhole).toBe(true)
    expect(frames.length).toBe(10_001)
    expect(frames[9_999]).toStrictEqual([-32700, "not JSON", 10_000, 16])
    expect(frames[10_000]).toStrictEqual(ping)
  })
})

describe("a line as long as the limit", () => {
  const messageBytes = 100
  const padded = (bytes: number): Uint8Array => {
    const empty = JSON.stringify(JsonRpc.notification("é", { text: "" }))
    const text = "x".repeat(bytes - bytesOf(empty).length)
    return bytesOf(JSON.stringify(JsonRpc.notification("é", { text })))
  }
  const newline = Uint8Array.of(0x0a)
  const cuts = (bytes: Uint8Array): ReadonlyArray<ReadonlyArray<Uint8Array>> => [
    [bytes],
    [bytes.subarray(0, 60), bytes.subarray(60)],
    [...bytes].map((byte) => Uint8Array.of(byte))
  ]

  it("is read, wherever it stands and however it comes", () => {
    const longest = padded(messageBytes)
    const message = JSON.parse(new TextDecoder().decode(longest))
    for (const pieces of cuts(join(bytesOf(line), longest, newline, longest))) {
      expect(read(pieces, { messageBytes })).toStrictEqual(whole([ping, message, message]))
    }
  })

  it("is refused when it is one byte longer; what stood before it has been handed over", () => {
    for (const end of [newline, bytesOf(`\n${line}`), bytesOf("")]) {
      for (const pieces of cuts(join(bytesOf(line), padded(messageBytes + 1), end))) {
        expect(read(pieces, { messageBytes })).toStrictEqual({ frames: [ping], isWhole: false })
      }
    }
  })

  it("counts bytes, not characters, and no byte of the line before", () => {
    const text = (n: number) => bytesOf(`"${"é".repeat(n)}"\n`)
    expect(read([text(49), text(49)], { messageBytes }).isWhole).toBe(true)
    expect(read([text(50)], { messageBytes }).isWhole).toBe(false)
  })

  it("is 4 MiB by default", () => {
    const text = (bytes: number) => bytesOf(`"${"x".repeat(bytes - 2)}"\n`)
    expect(read([text(4 * 1024 * 1024)]).isWhole).toBe(true)
    expect(read([text(4 * 1024 * 1024 + 1)]).isWhole).toBe(false)
  })

  it("is never held when it has no end: a flood without a newline stops at the limit", () => {
    const splitter = Lines.splitter()
    const before = held()
    let pushed = 0
    for (; pushed < 10_000; pushed++) if (!splitter.push(new Uint8Array(65_536).fill(0x78), () => {})) break
    expect(pushed).toBe(64)
    expect(held() - before).toBeLessThan(8)
  })

  it("takes no more memory than its bytes when they come one at a time", () => {
    const splitter = Lines.splitter()
    const message = JsonRpc.notification("x", { text: "y".repeat(4 * 1024 * 1024 - 60) })
    const bytes = bytesOf(Lines.encode(message))
    const frames: Array<Frame.Frame> = []
    const before = held()
    for (let at = 0; at < bytes.length - 1; at++) {
      splitter.push(bytes.subarray(at, at + 1), (frame) => void frames.push(frame))
    }
    expect(held() - before).toBeLessThan(8)
    splitter.push(bytes.subarray(-1), (frame) => void frames.push(frame))
    expect(frames).toStrictEqual([message])
  })
})
