import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Answer } from "../peers/Peer.ts"
import { calls, lists, type Question, together } from "./Question.ts"

const Found = Schema.Struct({
  matches: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      line: Schema.optionalKey(Schema.Int),
      text: Schema.optionalKey(Schema.String)
    })
  )
})
const readFound = Schema.decodeUnknownOption(Found)

const heard = ({ progress }: Answer): string => (progress === undefined ? "" : ` (progress: ${progress})`)

const sought = "A tool is a value"

/**
 * Other clients may miss reports of progress: the official ones forget who hears them as soon as they read the response,
 * and that can come in one read with all that was said before.
 */
const search = (mustReport: boolean): Question =>
  calls("search", { text: sought }, (answer) => {
    const found = Option.getOrUndefined(readFound(answer.structured))
    const first = found?.matches.find(({ path }) => path === "tools.md")
    if (first?.text?.includes(sought) !== true || (mustReport && answer.progress === 0)) return undefined
    return `${first.path}:${first.line} ${first.text}${heard(answer)}`
  })

const escape = calls("read", { path: "../package.json" }, ({ isError, text }) =>
  isError && text.includes("..") ? `refused: ${text}` : undefined
)

/** What the files server is asked when it serves the docs. */
export const ofFiles: ReadonlyArray<Question> = [
  lists("list", "search", "read"),
  calls("list", { depth: 1 }, ({ isError, text }) =>
    !isError && text.includes("tools.md") ? text.replaceAll("\n", " ") : undefined
  ),
  search(true),
  calls("read", { path: "tools.md" }, ({ isError, text }) => (isError ? undefined : text.split("\n")[0])),
  escape
]

export const ofFilesInShort: Question = together(search(false), lists("search"), escape)

/** What the reference server is asked. */
export const ofEverything: ReadonlyArray<Question> = [
  lists("echo", "get-sum"),
  calls("echo", { message: "Grüße, 世界 🌍" }, ({ text }) => (text === "Echo: Grüße, 世界 🌍" ? text : undefined)),
  calls("get-sum", { a: 19, b: 23 }, ({ text }) => (text.includes("42") ? text : undefined)),
  calls("get-structured-content", { location: "Chicago" }, ({ structured }) =>
    structured === undefined ? undefined : JSON.stringify(structured)
  ),
  calls("trigger-long-running-operation", { duration: 0.2, steps: 4 }, (answer) =>
    answer.progress === 4 ? `${answer.text.split(".")[0]}${heard(answer)}` : undefined
  )
]

/** What a server of another SDK is asked, in short. */
export const ofOffer: Question = together(
  calls("count", { count: 3 }, (answer) => (answer.progress === 3 ? `${answer.text}${heard(answer)}` : undefined)),
  lists("add", "count"),
  calls("add", { a: 19, b: 23 }, ({ structured, text }) => (structured === undefined ? undefined : text))
)

/** What the server of ten lines is asked. */
export const ofCalculator: Question = calls("add", { a: 19, b: 23 }, ({ text }) => (text === "42" ? text : undefined))
