import { limits } from "@effective-mcp/protocol"

/** What is wrong with a command line, and at which of its characters, counted from 0. */
export interface Fault {
  readonly detail: string
  readonly at: number
}

/** What a shell would act on, and nobody does here. */
const OPERATORS = new Set("|&;<>()`\n\r")
/** What a backslash can stand before; before anything else it is itself, as in `C:\tools`. */
const ESCAPED = new Set(" \t'\"\\$~#|&;<>()`")
const ESCAPED_IN_QUOTES = new Set('"\\$`')

const QUOTE_IT = "no shell reads it: put it into single quotes if it belongs to an argument"
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/

/**
 * Splits a command line into words, as a shell would: at spaces and tabs, single quotes keep everything as it is, double
 * quotes let a backslash stand before `"`, `\`, `$` and a backtick. Nothing is expanded or run: what a shell would act on is a fault.
 */
export const split = (line: string): ReadonlyArray<string> | Fault => {
  if (line.length > limits.commandLineLength) {
    return { detail: `a command line has at most ${limits.commandLineLength} characters`, at: limits.commandLineLength }
  }
  const words: Array<string> = []
  /** The word that is being read; a quoted one may be empty. */
  let word: string | undefined
  let at = 0
  /** Reads on to the end of quotes; gives back what is wrong. */
  const quoted = (mark: string): Fault | undefined => {
    const from = at - 1
    let text = ""
    for (; at < line.length; at++) {
      const character = line[at]!
      if (character === mark) {
        at++
        word = (word ?? "") + text
        return undefined
      }
      if (character === "\0") return { detail: "a NUL character", at }
      if (mark === '"' && (character === "$" || character === "`")) {
        return { detail: `${character} in double quotes; ${QUOTE_IT}`, at }
      }
      if (mark === '"' && character === "\\" && ESCAPED_IN_QUOTES.has(line[at + 1] ?? "")) at++
      text += line[at]!
    }
    return { detail: `a quote ${mark} that is never closed`, at: from }
  }
  const end = (): void => {
    if (word !== undefined) words.push(word)
    word = undefined
  }
  while (at < line.length) {
    const character = line[at]!
    if (character === " " || character === "\t") {
      end()
      at++
      continue
    }
    if (character === "'" || character === '"') {
      at++
      const fault = quoted(character)
      if (fault !== undefined) return fault
      continue
    }
    if (character === "\0") return { detail: "a NUL character", at }
    if (OPERATORS.has(character) || character === "$") {
      const shown = character === "\n" || character === "\r" ? "a line break" : character
      return { detail: `${shown} outside quotes; ${QUOTE_IT}`, at }
    }
    if (character === "~" && word === undefined && /^~(?:[/\\\s]|$)/.test(line.slice(at, at + 2))) {
      return { detail: "~ is not expanded: write the folder out", at }
    }
    if (character === "\\" && ESCAPED.has(line[at + 1] ?? "")) at++
    word = (word ?? "") + line[at]!
    at++
  }
  end()
  const [program] = words
  if (program === undefined || program === "") return { detail: "a command line without a program", at: 0 }
  if (ASSIGNMENT.test(program)) {
    return {
      detail: "a variable that is set ahead of the program: give it in the env of { command, args, env }",
      at: 0
    }
  }
  return words
}
