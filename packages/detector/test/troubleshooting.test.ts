import { readFileSync } from "node:fs"
import type { EndlessList, InputRequired } from "@effective-mcp/client"
import type { Reason as WireReason } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import type { DetectReason, Reason } from "../src/index.ts"

/** Every reason of each error: one that is added here is missing to the compiler, until it is told of. */
const reasons: {
  readonly TransportError: Readonly<Record<WireReason["_tag"], true>>
  readonly ConnectTargetError: Readonly<Record<Reason["_tag"], true>>
  readonly DetectError: Readonly<Record<DetectReason["_tag"], true>>
  readonly InputRequired: Readonly<Record<InputRequired["reason"]["_tag"], true>>
  readonly EndlessList: Readonly<Record<EndlessList["reason"], true>>
} = {
  TransportError: {
    Unsendable: true,
    Unreachable: true,
    Closed: true,
    Malformed: true,
    TooLarge: true,
    Overflow: true,
    TimedOut: true,
    HttpStatus: true,
    Redirected: true,
    SessionExpired: true
  },
  ConnectTargetError: {
    BadTarget: true,
    BadConfig: true,
    Unset: true,
    Unreachable: true,
    Unsendable: true,
    Exited: true,
    NeedsAuth: true,
    NotMcp: true,
    HttpStatus: true,
    Redirected: true,
    Refused: true,
    NoCommonRevision: true,
    Silent: true,
    Broken: true,
    ServersFailed: true
  },
  DetectError: {
    LocalCommand: true,
    BadAddress: true,
    NeedsAuth: true,
    Unavailable: true,
    TimedOut: true,
    Redirected: true,
    Unreachable: true,
    Broken: true,
    NothingHere: true
  },
  InputRequired: { Manual: true, Unanswered: true, TooManyRounds: true, WaitedTooLong: true, GivenUp: true },
  EndlessList: { RepeatedCursor: true, TooManyPages: true }
}
const others = [
  "RpcError",
  "Violation",
  "NotOffered",
  "Withheld",
  "NoCommonRevision",
  "OutputError",
  "ResourceNotFound"
]

const page = readFileSync(new URL("../../../docs/troubleshooting.md", import.meta.url), "utf8")

/** Cause and remedy of each row, by the code that it begins with. */
const rows = new Map(
  page.split("\n").flatMap((line) => {
    const [, code, cause = "", remedy = ""] = /^\| ((?:`\w+` ?)+)\| (.*) \| (.*) \|$/.exec(line) ?? []
    return code === undefined ? [] : [[code.replaceAll("`", "").trim(), { cause, remedy }] as const]
  })
)

describe("the page of what can go wrong", () => {
  const codes = Object.entries(reasons).flatMap(([tag, all]) => Object.keys(all).map((reason) => `${tag} ${reason}`))
  it.each([...codes, ...others])("has a cause and a remedy for %s", (code) => {
    const { cause, remedy } = rows.get(code) ?? {}
    expect(cause).toMatch(/\w.*[.:]/)
    expect(remedy).toMatch(/\w.*[.:?]/)
  })
})
