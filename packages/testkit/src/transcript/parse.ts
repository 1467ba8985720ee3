import { Frame, limits } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { TranscriptSyntaxError } from "./errors.ts"
import { fill, isAny, namesIn } from "./pattern.ts"

/** We send this. */
export interface Send {
  readonly _tag: "Send"
  readonly line: number
  readonly pattern: unknown
}

/** The other side says something like this. */
export interface Expect {
  readonly _tag: "Expect"
  readonly line: number
  readonly pattern: unknown
}

/** The other side says all of these, in any order. */
export interface AnyOrder {
  readonly _tag: "AnyOrder"
  readonly line: number
  readonly expected: ReadonlyArray<Expect>
}

/** The other side says nothing more and closes its end. */
export interface End {
  readonly _tag: "End"
  readonly line: number
}

/** A name for a value that is written down once. */
export interface Let {
  readonly _tag: "Let"
  readonly line: number
  readonly name: string
  readonly pattern: unknown
}

export type Step = Send | Expect | AnyOrder | End | Let

/** One side of a conversation, step by step. */
export interface Transcript {
  readonly steps: ReadonlyArray<Step>
}

/** Characters of the longest transcript. */
const LONGEST = 16 * 1024 * 1024

/** One line, and those that continue it. */
interface Entry {
  readonly line: number
  readonly sign: string
  text: string
}

const fail = (line: number, detail: string): never => {
  throw new TranscriptSyntaxError({ line, detail })
}

const entriesOf = (text: string): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  let open: Entry | undefined
  for (const [i, raw] of text.split(/\r?\n/).entries()) {
    const line = i + 1
    const trimmed = raw.trim()
    if (trimmed === "" || raw.startsWith("#")) open = undefined
    else if (raw.startsWith(" ") || raw.startsWith("\t")) {
      if (open === undefined) fail(line, "it continues nothing")
      else open.text += `\n${trimmed}`
    } else {
      const sign = raw[0]!
      if (!"<>()$".includes(sign)) fail(line, "a line begins with >, <, (, ), $ or #")
      open = { line, sign, text: raw.slice(1).trim() }
      if ("()".includes(sign) && open.text !== "") fail(line, `${sign} stands alone`)
      entries.push(open)
      if ("()".includes(sign)) open = undefined
    }
  }
  return entries
}

const jsonOf = (line: number, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    return fail(line, `not JSON: ${error instanceof Error ? error.message.slice(0, 100) : ""}`)
  }
}

const messageOf = ({ line, text }: Entry): unknown => {
  const pattern = jsonOf(line, text)
  if (typeof pattern !== "object" || pattern === null) return fail(line, "a message is an object, or an array of them")
  return pattern
}

/** Turns entries into steps, and knows which names have a value where. */
const stepsOf = (entries: ReadonlyArray<Entry>): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  const known = new Set<string>()
  let group: { readonly line: number; readonly expected: Array<Expect> } | undefined

  const namesOf = (line: number, pattern: unknown): ReadonlyArray<string> =>
    namesIn(pattern, limits.depth) ?? fail(line, `nested deeper than ${limits.depth} levels`)
  /** Refuses what has no value yet; true when there is nothing left to fill in. */
  const isKnown = (line: number, pattern: unknown): boolean => {
    const names = namesOf(line, pattern)
    for (const name of names) {
      if (isAny(name)) fail(line, "what is sent must be known: $any is for what is expected")
      if (!known.has(name)) fail(line, `$${name} has no value yet`)
    }
    return names.length === 0
  }
  const send = (entry: Entry): Send => {
    const { line } = entry
    if (group !== undefined) fail(line, "between ( and ) there is only what is expected")
    const pattern = messageOf(entry)
    if (isKnown(line, pattern)) {
      const frame = Frame.fromJson(fill(pattern, new Map()))
      if (frame instanceof Frame.Malformed) fail(line, `no message: ${frame.detail}`)
    }
    return { _tag: "Send", line, pattern }
  }
  const define = ({ line, text }: Entry): Let => {
    const [, name, value] = /^([A-Za-z_]\w*)\s*=([^]*)$/.exec(text) ?? []
    if (name === undefined || value === undefined) return fail(line, "a name is given as $name = value")
    if (group !== undefined) fail(line, "between ( and ) there is only what is expected")
    if (isAny(name) || known.has(name)) fail(line, `$${name} has a value already`)
    const pattern = jsonOf(line, value)
    isKnown(line, pattern)
    known.add(name)
    return { _tag: "Let", line, name, pattern }
  }
  const expect = (entry: Entry): Expect => {
    const pattern = messageOf(entry)
    for (const name of namesOf(entry.line, pattern)) known.add(name)
    return { _tag: "Expect", line: entry.line, pattern }
  }
  for (const entry of entries) {
    const { line, sign, text } = entry
    if (sign === ">") steps.push(send(entry))
    else if (sign === "$") steps.push(define(entry))
    else if (sign === "(") {
      if (group !== undefined) fail(line, "a ( in a (")
      group = { line, expected: [] }
    } else if (sign === ")") {
      if (group === undefined || group.expected.length === 0) fail(line, "a ) without anything to close")
      else steps.push({ _tag: "AnyOrder", ...group })
      group = undefined
    } else if (text === "end") {
      if (group !== undefined) fail(line, "the end has its place: it is not in a (")
      steps.push({ _tag: "End", line })
    } else if (steps.at(-1)?._tag === "End" && group === undefined) fail(line, "nothing is said after the end")
    else if (group === undefined) steps.push(expect(entry))
    else group.expected.push(expect(entry))
  }
  if (group !== undefined) fail(group.line, "this ( is never closed")
  return steps
}

const parseAll = (text: string): Transcript => {
  if (text.length > LONGEST) return fail(1, `longer than ${LONGEST} characters`)
  const steps = stepsOf(entriesOf(text.replace(/^\uFEFF/, "")))
  return steps.length === 0 ? fail(1, "there is nothing to play") : { steps }
}

/** Reads a transcript; see `Transcript` for how it is written. */
export const parse = (text: string): Effect.Effect<Transcript, TranscriptSyntaxError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(parseAll(text))
    } catch (error) {
      return error instanceof TranscriptSyntaxError ? Effect.fail(error) : Effect.die(error)
    }
  })
