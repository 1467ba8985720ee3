import { ErrorCode } from "./ErrorCode.ts"
import { isObject, isRequestId, type JsonObject, type Message, type RequestId } from "./JsonRpc.ts"
import { limits } from "./Limits.ts"

/** Something read off a wire that is no message: enough to answer and to report it, nothing of its content. */
export class Malformed {
  /** The error code that answers it. */
  readonly code: number
  /** What is wrong with it. */
  readonly detail: string
  /** What it tried to be. Only a request, or what cannot be told, is ever answered. */
  readonly about: "request" | "notification" | "response" | "unknown"
  /** Its id, where one could be read. */
  readonly id: RequestId | undefined
  /** Where it stood: its line, counted from 1, and its length in bytes; 0 where the wire does not tell. */
  readonly line: number
  readonly bytes: number
  /** The call that it is for who takes params of null for none. */
  readonly meant: Message | undefined

  constructor(
    code: number,
    detail: string,
    about: Malformed["about"] = "unknown",
    id?: RequestId,
    at: { readonly line: number; readonly bytes: number } = { line: 0, bytes: 0 },
    meant?: Message
  ) {
    this.code = code
    this.detail = detail
    this.about = about
    this.id = id
    this.line = at.line
    this.bytes = at.bytes
    this.meant = meant
  }

  at(line: number, bytes: number): Malformed {
    return new Malformed(this.code, this.detail, this.about, this.id, { line, bytes }, this.meant)
  }
}

/** Several messages sent as one JSON array: the whole of it, entry by entry. */
export type Batch = ReadonlyArray<Message | Malformed>

/** One thing read off a pipe. */
export type Frame = Message | Batch | Malformed

/**
 * What a client takes a server to have said. Some servers write params that they have none of as null, which is no
 * JSON-RPC; a question that stays unanswered for that would hold up the call that it belongs to.
 */
export const taken = <A extends Message | Malformed>(said: A): A | Message =>
  said instanceof Malformed ? (said.meant ?? said) : said

export const isBatch = (frame: Frame): frame is Batch => Array.isArray(frame)

const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== "object" || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeper(item, levels - 1)) return true
    return false
  }
  for (const key in value) if (isDeeper((value as JsonObject)[key], levels - 1)) return true
  return false
}

const invalid = (
  detail: string,
  about: Malformed["about"],
  id: unknown,
  code: number = ErrorCode.InvalidRequest
): Malformed => new Malformed(code, detail, about, isRequestId(id) ? id : undefined)

const fromCall = (value: JsonObject): Message | Malformed => {
  const { id, method, params } = value
  const about = id === undefined ? "notification" : "request"
  if (id !== undefined) {
    if (!isRequestId(id)) return invalid("the id is not a string or a safe integer", about, undefined)
    if ((method as string).startsWith("notifications/")) return invalid("a notification has no id", about, id)
  }
  if (params === null) {
    const { params: _none, ...meant } = value
    // cast: every other member was just checked
    const call = meant as unknown as Message
    return new Malformed(ErrorCode.InvalidParams, "params is not an object", about, id, undefined, call)
  }
  if (params !== undefined && !isObject(params)) return invalid("params is not an object", about, id)
  return value as unknown as Message // cast: every member was just checked
}

const fromResponse = (value: JsonObject): Message | Malformed => {
  const { error, id, result } = value
  if (result !== undefined) {
    if (error !== undefined) return invalid("both result and error", "response", id)
    if (!isRequestId(id)) return invalid("a result without the id of a request", "response", undefined)
    if (!isObject(result)) return invalid("the result is not an object", "response", id)
    return value as unknown as Message // cast: every member was just checked
  }
  if (!isObject(error)) return invalid("the error is not an object", "response", id)
  if (!Number.isInteger(error.code) || typeof error.message !== "string") {
    return invalid("the error has no integer code or no message", "response", id)
  }
  if (id !== undefined && id !== null && !isRequestId(id)) return invalid("an error with no usable id", "response", id)
  return value as unknown as Message // cast: every member was just checked
}

const aboutOf = (value: JsonObject): Malformed["about"] => {
  if ("method" in value) return "id" in value ? "request" : "notification"
  return "result" in value || "error" in value ? "response" : "unknown"
}

const fromEntry = (value: unknown, depth: number): Message | Malformed => {
  if (!isObject(value)) return invalid("not an object", "unknown", undefined)
  if (value.jsonrpc !== "2.0") {
    const about = aboutOf(value)
    // without the version nothing says that it wants no answer
    // its id says nothing when it may be any line that a program prints
    return about === "unknown" || (about === "response" && !("jsonrpc" in value) && Object.keys(value).length > 2)
      ? invalid("not JSON-RPC 2.0", about, undefined)
      : invalid("not JSON-RPC 2.0", about === "notification" ? "unknown" : about, value.id)
  }
  if (depth < Infinity && isDeeper(value, depth))
    return invalid(`nested deeper than ${depth} levels`, aboutOf(value), value.id)
  if (typeof value.method === "string") return fromCall(value)
  if (value.method !== undefined) return invalid("the method is not a string", aboutOf(value), value.id)
  if (aboutOf(value) === "response") return fromResponse(value)
  return invalid("neither a method nor a result nor an error", "unknown", value.id)
}

/**
 * Sorts a parsed JSON value. Only exact member names count, and the value itself is kept, unknown members and all.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#messages
 */
export const fromJson = (value: unknown, depth: number = limits.depth): Frame => {
  if (!Array.isArray(value)) return fromEntry(value, depth)
  if (value.length === 0) return invalid("an empty batch", "unknown", undefined)
  if (value.length > limits.batch) return invalid(`a batch of more than ${limits.batch}`, "unknown", undefined)
  return value.map((entry) => fromEntry(entry, depth))
}

/** What no JSON text begins with. */
const NO_JSON = /^[^\s{["\d\-tfn]/

const strict = new TextDecoder("utf-8", { fatal: true })

/** Characters from which on a message is heavy: what is lighter is bounded by its number. */
const HEAVY = 16 * 1024
const weights = new WeakMap<object, number>()

/** About how many bytes a frame that was read from a text has taken; 0 when it is not worth counting. */
export const weightOf = (frame: Frame): number => weights.get(frame) ?? 0

/** Parses and sorts one JSON text; never throws. */
export const fromText = (text: string, depth: number = limits.depth): Frame => {
  let value: unknown
  // a program that prints something else may print a lot of it, and an exception costs more than a look
  if (text[0] !== "{" && NO_JSON.test(text)) return new Malformed(ErrorCode.ParseError, "not JSON")
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return cause instanceof SyntaxError
      ? new Malformed(ErrorCode.ParseError, "not JSON")
      : new Malformed(ErrorCode.InvalidRequest, `nested deeper than ${depth} levels`)
  }
  // each level takes two characters at least
  const frame = fromJson(value, text.length <= 2 * depth ? Infinity : depth)
  if (text.length >= HEAVY) {
    const parts = isBatch(frame) ? frame : [frame]
    const weight = Math.ceil(text.length / parts.length)
    for (const part of parts) weights.set(part, weight).set(taken(part), weight)
  }
  return frame
}

/** The same for bytes: what is not UTF-8 is no JSON; a byte order mark is let pass. */
export const fromBytes = (bytes: Uint8Array, depth?: number): Frame => {
  let text
  try {
    text = strict.decode(bytes)
  } catch {
    return new Malformed(ErrorCode.ParseError, "not UTF-8")
  }
  return fromText(text, depth)
}
