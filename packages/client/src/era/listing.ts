import { ErrorCode } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import type { CallError } from "../ClientError.ts"
import { timedOut } from "../Deadlines.ts"
import { type PageOptions, pages } from "../feature/pages.ts"
import type { Hub } from "../Hub.ts"
import { type Send, type Sender, toSend } from "../Send.ts"
import type { RequestOptions } from "../Session.ts"
import { inTime, Spent, spentOf, type Timed } from "../Spent.ts"
import { isLate } from "./heard.ts"
import type { Line } from "./Line.ts"
import type { Link } from "./Link.ts"
import type { Remedy } from "./Remedy.ts"

/** Pages that are read before a call is sent again: a list without an end must not hold it up. */
const REMEDY_PAGES = 16

/**
 * Lists the tools up to one of them, so that the binding learns from what passes. It goes no further: a binding remembers
 * so many tools, and would forget this one again over all that come after it.
 */
const listUpTo = (
  tool: unknown,
  request: Send,
  options: RequestOptions,
  paging: PageOptions
): Effect.Effect<void, CallError> => {
  const listing = pages(
    "tools/list",
    (params) => request("tools/list", params, options),
    ({ tools }) => tools,
    ({ name }) => name,
    paging
  )
  const found = Stream.takeUntil(listing, ({ name }) => name === tool)
  // the tool may have been on the pages that were read
  return Effect.catchTag(Stream.runDrain(found), "EndlessList", () => Effect.void)
}

/**
 * Whether a server says of a call that its headers are wrong, and of nothing else: over HTTP, with the status that goes
 * with it, and with nothing heard of the call before. Anywhere else the code proves nothing, and the call may have run.
 */
const isTurnedAway = (error: CallError, { connection }: Line): boolean =>
  error._tag === "RpcError" &&
  error.code === ErrorCode.HeaderMismatch &&
  error.httpStatus === 400 &&
  connection.wire === "http" &&
  !isLate(error)

/**
 * A server that finds headers wrong has annotated a tool since it was listed. The binding learns annotations from lists
 * that pass through it, so that listing the tools again mends the next call; nothing has run. What else is known of its
 * tools is as old.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export const listAgain =
  (request: Send, line: Line, hub: Hub): Remedy =>
  (error, method, params) => {
    if (method !== "tools/call" || !isTurnedAway(error, line)) return undefined
    const called = "name" in params ? params.name : undefined
    return Effect.suspend(() => {
      hub.tell({ _tag: "ListChanged", list: "tools" })
      return Effect.mapError(listUpTo(called, request, {}, { maxPages: REMEDY_PAGES }), () => error)
    })
  }

/**
 * Has the tools listed before a call of one of which the binding has forgotten what headers have to repeat: one list at a
 * time, since it may bring what others wait for as well. Where the list cannot be had the call goes as it is.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#client-behavior
 */
export const listFirst = (send: Sender, { connection }: Line, link: Link): Sender => {
  const { expect } = connection
  if (expect === undefined) return send
  const request = toSend(send)
  const turn = Semaphore.makeUnsafe(1)
  let failures = 0
  const note = Effect.sync(() => {
    failures++
  })
  return (fiber, method, params, options) => {
    const tool = method === "tools/call" && "name" in params ? params.name : undefined
    if (tool === undefined || !expect(tool)) return send(fiber, method, params, options)
    const spent = spentOf(options) ?? new Spent()
    const timed: Timed = { ...options, spent }
    const { meta, timeout } = timed
    const { totalMs } = link.bounds(timed)
    // a list that nobody could have is not waited for once more by each who waits
    const before = failures
    const listing = Effect.suspend(() =>
      failures === before && expect(tool)
        ? Effect.ignore(Effect.tapError(listUpTo(tool, request, { meta, timeout }, {}), () => note))
        : Effect.void
    )
    const late = () => timedOut(method, totalMs, "NotSent")
    const listed = inTime(turn.withPermit(listing), spent, totalMs, late)
    return Effect.flatMap(listed, () => send(fiber, method, params, timed))
  }
}
