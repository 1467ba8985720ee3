import assert from "node:assert/strict"
import { Frame, limits } from "@effective-mcp/protocol"
import { type Tape, taped } from "./Tape.ts"
import { check, several, target } from "./Target.ts"
import { expectNoPollution, json, names, objectOf } from "./values.ts"

const ids: readonly [unknown, ...ReadonlyArray<unknown>] = [1, 0, "", "1", -7, 2 ** 53 - 1, 2 ** 53, 1.5, null, [1], {}]
const methods: readonly [unknown, ...ReadonlyArray<unknown>] = [
  "x",
  "notifications/x",
  "",
  "tools/call",
  null,
  1,
  ["x"],
  "__proto__"
]

type Member = readonly [name: string, value: unknown]

const error = (tape: Tape): unknown =>
  tape.once(4)
    ? json(tape)
    : objectOf([
        ["code", tape.pick([-32600, 1, 0, 1.5, "1", null])],
        ...(tape.once(6) ? [] : [["message", tape.pick<unknown>(["m", "", 5])] as const])
      ])

/** Something like a message. */
const entry = (tape: Tape): unknown => {
  if (tape.once(12)) return json(tape)
  const members: Array<Member> = [["jsonrpc", tape.once(10) ? tape.pick<unknown>(["1.0", 2, "2", null]) : "2.0"]]
  if (!tape.once(4)) members.push(["id", tape.pick(ids)])
  if (!tape.once(3)) members.push(["method", tape.pick(methods)])
  if (tape.once(3)) members.push(["params", tape.once(4) ? json(tape) : objectOf([[tape.pick(names), json(tape)]])])
  if (tape.once(4)) members.push(["result", tape.once(4) ? json(tape) : objectOf([[tape.pick(names), json(tape)]])])
  if (tape.once(6)) members.push(["error", error(tape)])
  if (tape.once(5)) members.push([tape.pick(names), json(tape)])
  return objectOf(members)
}

/** A message as deep as the default allows, or nearly, or deeper. */
const deep = (tape: Tape): unknown => {
  let value: unknown = {}
  for (let left = 58 + tape.below(8); left > 0; left--) value = left % 2 === 0 ? [value] : { a: value }
  return { jsonrpc: "2.0", id: 1, result: value }
}

const whole = (tape: Tape): unknown => {
  if (tape.once(40)) return deep(tape)
  if (tape.once(100)) return Array.from({ length: 1_020 + tape.below(8) }, () => 1)
  return tape.once(5) ? tape.list(4, () => entry(tape)) : entry(tape)
}

const depths: readonly [number, ...ReadonlyArray<number>] = [64, 1, 2, 3, 4, 5]

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const has = (value: object, name: string): boolean => Object.keys(value).includes(name)

const levels = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levels)) : 0

const isId = (id: unknown): boolean =>
  typeof id === "string" || (Number.isInteger(id) && Math.abs(Number(id)) < 2 ** 53)

/** Whether a value is a message, as the rules have it. */
const isMessage = (value: unknown, depth: number): boolean => {
  if (!isObject(value) || !has(value, "jsonrpc") || value.jsonrpc !== "2.0" || levels(value) > depth) return false
  const hasId = has(value, "id")
  if (has(value, "method")) {
    const { id, method, params } = value
    if (typeof method !== "string" || (has(value, "params") && !isObject(params))) return false
    return !hasId || (isId(id) && !method.startsWith("notifications/"))
  }
  if (has(value, "result")) return !has(value, "error") && isObject(value.result) && isId(value.id)
  const { error } = value
  return (
    has(value, "error") &&
    isObject(error) &&
    Number.isInteger(error.code) &&
    typeof error.message === "string" &&
    (!hasId || value.id === null || isId(value.id))
  )
}

/** All that a detail may say: nothing of it is the peer's. */
const details = new RegExp(
  `^(?:${[
    "not JSON(?:-RPC 2\\.0)?",
    "not an object",
    "nested deeper than \\d+ levels",
    "an empty batch",
    "a batch of more than \\d+",
    "the (?:id is not a string or a safe integer|method is not a string|result is not an object|error is not an object)",
    "a notification has no id",
    "params is not an object",
    "both result and error",
    "a result without the id of a request",
    "the error has no integer code or no message",
    "an error with no usable id",
    "neither a method nor a result nor an error"
  ].join("|")})$`
)

const codes = [-32700, -32600, -32602]

const expectMalformed = (frame: unknown, value: unknown): void => {
  assert(frame instanceof Frame.Malformed)
  assert.match(frame.detail, details)
  assert(codes.includes(frame.code))
  assert(["request", "notification", "response", "unknown"].includes(frame.about))
  const id = isObject(value) && has(value, "id") ? value.id : undefined
  if (frame.id !== undefined) assert(frame.id === id && isId(id))
  // whoever asked can be answered
  if (isObject(value) && has(value, "method") && isId(id)) assert(frame.about === "request" && frame.id === id)
}

const expectEntry = (frame: unknown, value: unknown, depth: number): void => {
  if (isMessage(value, depth)) assert.equal(frame, value)
  else expectMalformed(frame, value)
}

const expectFrame = (frame: Frame.Frame, value: unknown, depth: number): void => {
  if (!Array.isArray(value)) return expectEntry(frame, value, depth)
  if (value.length === 0 || value.length > limits.batch) return expectMalformed(frame, undefined)
  assert(Frame.isBatch(frame) && frame.length === value.length)
  for (const [at, part] of frame.entries()) expectEntry(part, value[at], depth)
}

interface Value {
  readonly value: unknown
  readonly depth: number
}

const values = taped(60, (tape): Value => ({ depth: tape.pick(depths), value: whole(tape) }))

const marks: readonly [string, ...ReadonlyArray<string>] = [
  "",
  "{",
  "}",
  "[",
  "]",
  '"',
  ":",
  ",",
  "\\",
  " ",
  "\u00a0",
  "\ufeff",
  "\n",
  "-",
  "1",
  "e",
  "tru",
  "null",
  "\u0000",
  "\ud800",
  '"id":1,',
  "[".repeat(70)
]

interface Text {
  readonly text: string
  readonly depth: number
}

/** The text of a value, as it is or with something put in, taken out or put over. */
const texts = taped(70, (tape): Text => {
  const depth = tape.pick(depths)
  let text = tape.once(6) ? "" : JSON.stringify(whole(tape))
  for (const edit of tape.list(3, () => ({ at: tape.byte() * 4, out: tape.below(4), put: tape.pick(marks) }))) {
    const at = edit.at % (text.length + 1)
    text = text.slice(0, at) + edit.put + text.slice(at + edit.out)
  }
  return { text, depth }
})

const parse = (text: string): readonly [unknown] | undefined => {
  try {
    return [JSON.parse(text)]
  } catch {
    return undefined
  }
}

/** Everything that is read is a message as it came, a batch of entries, or malformed and says nothing of its content. */
export const frames = target(
  "frames",
  several(
    check("a value", values, ({ depth, value }) => {
      expectFrame(Frame.fromJson(value, depth), value, depth)
      expectNoPollution()
    }),
    check("a text", texts, ({ depth, text }) => {
      const frame = Frame.fromText(text, depth)
      const parsed = parse(text)
      if (parsed === undefined) {
        expectMalformed(frame, undefined)
        assert(frame instanceof Frame.Malformed && frame.code === -32700 && frame.about === "unknown")
      } else {
        const right = Frame.fromJson(parsed[0], depth)
        assert.equal(JSON.stringify(frame), JSON.stringify(right))
        assert.equal(frame instanceof Frame.Malformed, right instanceof Frame.Malformed)
        expectFrame(right, parsed[0], depth)
      }
      expectNoPollution()
    })
  ),
  ({ holds }) => holds()
)
