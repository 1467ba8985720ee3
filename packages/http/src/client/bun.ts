import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { make as makeFetch } from "./fetch.ts"
import type { HttpClient } from "./HttpClient.ts"
import { make as makeNode } from "./node.ts"

/** Requests of this process that are open through `fetch` at once. */
const MOST = 128

let open = 0

/** Whether `fetch` goes through a proxy, which `node:http` would pass by. */
const hasProxy = (): boolean =>
  ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].some((name) => (process.env[name] ?? "") !== "")

const leave = Effect.sync(() => {
  open--
})

/**
 * Sends requests with `fetch`, of which Bun has 256 open in a whole process and lets the next wait for the end of one of
 * them, be it a stream that does not end; those that are too many for that are sent with `node:http`, which costs more.
 */
export const make = (): Effect.Effect<HttpClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const fetch = yield* makeFetch()
    const node = yield* makeNode()
    return (request) =>
      Effect.withFiber((fiber) => {
        if (open >= MOST && !hasProxy()) return node(request)
        open++
        const scope = Context.getUnsafe(fiber.context, Scope.Scope)
        return Effect.andThen(Scope.addFinalizer(scope, leave), fetch(request))
      })
  })
