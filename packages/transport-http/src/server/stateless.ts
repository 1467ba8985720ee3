import type { HttpRequest } from "@effective-mcp/http"
import { type Host, HttpEra } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import type { Manner } from "./Channel.ts"
import type { Endpoint } from "./Endpoint.ts"
import { VERSION } from "./headers.ts"
import type { HttpCall } from "./HttpCall.ts"
import * as Session from "./Session.ts"
import { begin } from "./sessions.ts"

/** A conversation for one legacy request, in the revision that its header names: nothing of it is left afterwards. */
export const session = <R>(
  { json, keepAlive, stalled }: Endpoint<R>,
  host: Host<R | HttpCall>,
  http: HttpRequest,
  isOpening: boolean
) =>
  Effect.flatMap(Scope.make(), (scope) => {
    const revision = HttpEra.versionOf(http.header(VERSION))
    const manner: Manner = { keepAlive, stalled, json, events: undefined, polling: false, retryMs: 0 }
    return Effect.map(
      begin(host.converse(isOpening ? undefined : { revision }, "request"), undefined, scope),
      (begun) => Session.make({ ...begun, id: undefined, tag: "", manner, revision, usedAt: 0 })
    )
  })
