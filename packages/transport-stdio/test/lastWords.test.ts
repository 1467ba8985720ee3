import { EventEmitter } from "node:events"
import { describe, expect, it } from "vitest"
import { lastWords } from "../src/lastWords.ts"
import { stderrLines } from "../src/stderrLines.ts"
import { held } from "./support/memory.ts"

const limit = 64 * 1024

/** A stream that says what it is told to. */
class Mouth extends EventEmitter {
  readonly pause = () => this
  readonly resume = () => this
  readonly say = (bytes: Uint8Array) => void this.emit("data", bytes)
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** As many bytes as are asked for, in chunks of a size, each with its number at its end. */
const flood = (mouth: Mouth, bytes: number, size: number): void => {
  for (let said = 0; said < bytes; said += size) {
    const chunk = new Uint8Array(size).fill(120)
    chunk.set(bytesOf(`${said + size}\n`.slice(-size)), size - Math.min(size, `${said + size}\n`.length))
    mouth.say(chunk)
  }
}

describe("the last words of a stream", () => {
  for (const size of [64, 1024, limit, 1024 * 1024]) {
    it(`are its last bytes, and nothing else of 64 MiB is held: in chunks of ${size}`, () => {
      const mouth = new Mouth()
      const before = held()
      const words = lastWords(mouth, limit)
      flood(mouth, 64 * 1024 * 1024, size)
      expect(held() - before).toBeLessThan(6.4)
      expect(words()).toHaveLength(limit)
      expect(words().endsWith("67108864\n")).toBe(true)
    })
  }

  it("are no more than the limit, whatever it is, and all that was said when that is less", () => {
    for (const most of [0, 1, 7, 100]) {
      const mouth = new Mouth()
      const words = lastWords(mouth, most)
      let all = ""
      expect(words()).toBe("")
      for (let i = 0; i < 300; i++) {
        mouth.say(bytesOf(`${i},`))
        all += `${i},`
        expect(words()).toBe(most === 0 ? "" : all.slice(-most))
      }
    }
  })

  it("hold no broken character at their beginning", () => {
    const mouth = new Mouth()
    const words = lastWords(mouth, 6)
    for (const byte of bytesOf("é🦜🦜")) mouth.say(Uint8Array.of(byte))
    expect(words()).toBe("🦜")
  })

  it("are told as they come, no character cut, to one who may throw", () => {
    const mouth = new Mouth()
    const heard: Array<string> = []
    const words = lastWords(mouth, 100, {
      onText: (text) => {
        heard.push(text)
        throw new Error("not interested")
      }
    })
    for (const byte of bytesOf("a🦜b")) mouth.say(Uint8Array.of(byte))
    mouth.say(bytesOf("🦜").subarray(0, 2))
    mouth.emit("error", new Error("the wire"))
    mouth.emit("end")
    expect(heard).toStrictEqual(["a", "🦜", "b", "\ufffd"])
    expect(words()).toBe("a🦜b\ufffd")
  })

  it("are told to one whose promise may fail, which is nobody's matter", async () => {
    const mouth = new Mouth()
    const unhandled: Array<unknown> = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on("unhandledRejection", note)
    lastWords(mouth, 100, { onText: () => Promise.reject(new Error("not interested")) })
    mouth.say(bytesOf("a"))
    // unhandled rejections are told before the next turn
    await new Promise((resolve) => setImmediate(resolve))
    process.off("unhandledRejection", note)
    expect(unhandled).toEqual([])
  })
})

describe("R-012 the lines of a stream", () => {
  const heard = (most: number, ...chunks: ReadonlyArray<string>): ReadonlyArray<string> => {
    const all: Array<string> = []
    const { onEnd, onText } = stderrLines((line) => void all.push(line), most)
    for (const chunk of chunks) onText(chunk)
    onEnd?.()
    return all
  }

  it("are told one by one, wherever the stream was cut, and the last also without its end", () => {
    const text = "one\r\n\ntwo\nthree"
    for (let at = 0; at <= text.length; at++) {
      expect(heard(100, text.slice(0, at), text.slice(at))).toEqual(["one", "", "two", "three"])
    }
    expect(heard(100, ...text)).toEqual(["one", "", "two", "three"])
    expect(heard(100, "one\n")).toEqual(["one"])
    expect(heard(100, "")).toEqual([])
  })

  it("come in pieces when they are long", () => {
    expect(heard(3, "abcdefg\nab", "c\nabcd")).toEqual(["abc", "def", "g", "abc", "abc", "d"])
    expect(heard(3, ..."abcdef\n")).toEqual(["abc", "def"])
  })

  it("may be told to one who fails, which harms neither the stream nor the next line", async () => {
    const mouth = new Mouth()
    const all: Array<string> = []
    const words = lastWords(
      mouth,
      100,
      stderrLines((line) => {
        all.push(line)
        if (all.length === 1) throw new Error("not interested")
        return Promise.reject(new Error("not interested"))
      })
    )
    mouth.say(bytesOf("a\nb\nc"))
    mouth.emit("end")
    await new Promise((resolve) => setImmediate(resolve))
    expect(all).toEqual(["a", "b", "c"])
    expect(words()).toBe("a\nb\nc")
  })

  it("hold no more than the longest, whatever is said without an end", () => {
    const mouth = new Mouth()
    let pieces = 0
    lastWords(
      mouth,
      100,
      stderrLines(() => void (pieces += 1))
    )
    const before = held()
    flood(mouth, 64 * 1024 * 1024, limit)
    expect(held() - before).toBeLessThan(6.4)
    expect(pieces).toBeGreaterThanOrEqual(1_024)
  })
})
