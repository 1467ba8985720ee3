import assert from "node:assert/strict"
import { Meta } from "@effective-mcp/protocol"
import { type Tape, taped } from "./Tape.ts"
import { check, several, target } from "./Target.ts"
import { expectNoPollution, json, names, objectOf } from "./values.ts"

const bits: readonly [string, ...ReadonlyArray<string>] = [
  "a",
  "/",
  ".",
  "-",
  "_",
  "1",
  "io",
  "com.",
  "mcp",
  "modelcontextprotocol",
  ".mcp/",
  "mcp.",
  "Z9",
  "é",
  " ",
  "\n",
  "\u212a",
  "__proto__",
  "io.modelcontextprotocol/clientInfo"
]

const keys = taped(12, (tape) => tape.list(8, () => tape.pick(bits)).join(""))

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const digits = "0123456789"

/** Whether a text begins and ends with certain characters, and holds only certain others. */
const consists = (text: string, first: string, inside: string, last: string): boolean =>
  text !== "" &&
  first.includes(text.charAt(0)) &&
  last.includes(text.charAt(text.length - 1)) &&
  text.split("").every((unit) => inside.includes(unit))

const isLabel = (text: string): boolean => consists(text, letters, `${letters + digits}-`, letters + digits)
const isName = (text: string): boolean =>
  text === "" || consists(text, letters + digits, `${letters + digits}-_.`, letters + digits)

const expectKey = (key: string): void => {
  const [before = "", ...after] = key.split("/")
  const name = after.join("/")
  const hasPrefix = after.length > 0
  const labels = hasPrefix ? before.split(".") : []
  assert.equal(Meta.isKey(key), hasPrefix ? labels.every(isLabel) && isName(name) : isName(key))
  assert.equal(Meta.isReserved(key), labels[1] === "mcp" || labels[1] === "modelcontextprotocol")
  // what a modern client sets itself is the protocol's, or stands without a prefix
  if (Meta.protectedKeys.has(key)) assert(Meta.isKey(key) && (Meta.isReserved(key) || !key.includes("/")))
}

const hex = (tape: Tape, length: number): string =>
  tape.once(8) ? "0".repeat(length) : Array.from({ length }, () => "0123456789abcdef"[tape.below(16)] ?? "0").join("")

const traces = taped(90, (tape): unknown => {
  if (tape.once(8)) return json(tape)
  const version = tape.pick(["00", "01", "ff", "fe", "0g"])
  const ends = tape.pick(["", "-", "-more", "-a\nb", "x", "\n", " "])
  const text = [version, hex(tape, 32), hex(tape, 16), tape.pick(["00", "01", "zz", "1"])].join("-") + ends
  const at = tape.byte()
  return tape.once(4) ? text.slice(0, at) + tape.pick(["A", "-", "g", ""]) + text.slice(at + 1) : text
})

const isHex = (text: string, length: number): boolean =>
  text.length === length && text.split("").every((unit) => "0123456789abcdef".includes(unit))

const isTrace = (value: unknown): boolean => {
  if (typeof value !== "string") return false
  const rest = value.slice(55)
  return (
    isHex(value.slice(0, 2), 2) &&
    !value.startsWith("ff") &&
    [2, 35, 52].every((at) => value.charAt(at) === "-") &&
    isHex(value.slice(3, 35), 32) &&
    Number.parseInt(value.slice(3, 35), 16) > 0 &&
    isHex(value.slice(36, 52), 16) &&
    Number.parseInt(value.slice(36, 52), 16) > 0 &&
    isHex(value.slice(53, 55), 2) &&
    (rest === "" || (rest.startsWith("-") && !/[\n\r\u2028\u2029]/.test(rest)))
  )
}

const holders = taped(30, (tape) =>
  objectOf([
    [tape.pick(["_meta", "Meta", "__proto__"]), json(tape)],
    [tape.pick(names), json(tape)]
  ])
)

/** Keys have the form that the protocol asks for, and belong to whom they belong; metadata is an object. */
export const meta = target(
  "meta",
  several(
    check("a key", keys, expectKey),
    check("a trace", traces, (traceparent) => {
      const found = Meta.traceContext({ traceparent, tracestate: traceparent, baggage: 5 })
      const right = isTrace(traceparent) ? { traceparent, tracestate: traceparent } : undefined
      assert.deepStrictEqual(found, right)
    }),
    check("a holder", holders, (holder) => {
      const own = Object.entries(holder).find(([name]) => name === "_meta")?.[1]
      const isObject = typeof own === "object" && own !== null && !Array.isArray(own)
      if (isObject) assert.equal(Meta.of(holder), own)
      else assert.deepStrictEqual(Meta.of(holder), {})
      Meta.traceContext(Meta.of(holder))
      expectNoPollution()
    })
  ),
  ({ holds }) => holds()
)
