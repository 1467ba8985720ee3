import { quote } from "@effective-mcp/protocol"
import * as SchemaIssue from "effect/SchemaIssue"
import type { StandardSchemaV1 } from "effect/StandardSchema"

/** How much is said of what does not fit, in issues and in characters. */
const MOST_ISSUES = 20
const MOST_TEXT = 4_096
/** A value of more parts than this is only searched for its first issue. */
const SMALL = 1_000

const roomAfter = (value: unknown, room: number): number => {
  let left = room - 1
  if (typeof value !== "object" || value === null) return left
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = roomAfter(value[i], left)
    return left
  }
  for (const each of Object.values(value)) {
    if (left < 0) break
    left = roomAfter(each, left)
  }
  return left
}

/** Whether a value has so few parts that all that is wrong with it can be looked for. */
export const isSmall = (value: unknown): boolean => roomAfter(value, SMALL) >= 0

const describe = ({ message, path = [] }: StandardSchemaV1.Issue): string => {
  const at = path.map((key) => quote(String(typeof key === "object" ? key.key : key))).join(".")
  return at === "" ? message : `${at}: ${message}`
}

/** Issues in words, a line each, as many as there is room for; `found` is how many there are in all. */
export const explain = (issues: ReadonlyArray<StandardSchemaV1.Issue>, found = issues.length): string => {
  let text = ""
  let said = 0
  for (const issue of issues.slice(0, MOST_ISSUES)) {
    const line = said === 0 ? describe(issue) : `\n${describe(issue)}`
    const room = MOST_TEXT - text.length
    if (line.length > room && said > 0) break
    said++
    text += line.length > room ? `${line.slice(0, room)}…` : line
  }
  return found > said ? `${text}\n… and ${found - said} more` : text
}

const isSome = <A>(list: ReadonlyArray<A>): list is readonly [A, ...Array<A>] => list.length > 0

/**
 * The part of an issue that holds its first leaves: making words of all, which may be thousands of times as long as the
 * value, is what costs. `found` counts every leaf.
 */
const firstOf = (issue: SchemaIssue.Issue, found: { count: number }): SchemaIssue.Issue | undefined => {
  switch (issue._tag) {
    case "Pointer": {
      const inner = firstOf(issue.issue, found)
      return inner && new SchemaIssue.Pointer(issue.path, inner)
    }
    case "Filter": {
      const inner = firstOf(issue.issue, found)
      return inner && new SchemaIssue.Filter(issue.filter, inner)
    }
    case "Encoding": {
      const inner = firstOf(issue.issue, found)
      return inner && new SchemaIssue.Encoding(issue.ast, inner)
    }
    case "Composite":
    case "AnyOf": {
      if (!isSome(issue.issues)) break
      const kept: Array<SchemaIssue.Issue> = []
      for (const each of issue.issues) {
        const inner = firstOf(each, found)
        if (inner !== undefined) kept.push(inner)
      }
      if (!isSome(kept)) return undefined
      return issue._tag === "AnyOf"
        ? new SchemaIssue.AnyOf(issue.ast, kept)
        : new SchemaIssue.Composite(issue.ast, kept)
    }
  }
  found.count++
  return found.count <= MOST_ISSUES ? issue : undefined
}

const toStandard = SchemaIssue.makeFormatterStandardSchemaV1()

/** An issue of Effect Schema in words. */
export const explainIssue = (issue: SchemaIssue.Issue): string => {
  const found = { count: 0 }
  const first = firstOf(issue, found)
  return first === undefined ? "" : explain(toStandard(first).issues, found.count)
}
