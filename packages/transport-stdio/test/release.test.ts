import { JsonRpc } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { spawn } from "../src/spawn.ts"
import { call } from "./support/call.ts"
import { gone, isAlive, kill } from "./support/processes.ts"
import { program } from "./support/program.ts"

for (const [name, stream] of [
  ["output", 1],
  ["standard error", 2]
] as const) {
  it.live(`a child's ${name} is let go of with its scope, though another process still holds it`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const scope = yield* Scope.fork(yield* Effect.scope)
        const connection = yield* Scope.provide(spawn({ ...program("escapes", `${stream}`), graceMs: 500 }), scope)
        const response = yield* call(connection, 1)
        const pid = JsonRpc.isSuccess(response) ? Number(response.result.pid) : Number.NaN
        yield* Effect.addFinalizer(() => Effect.sync(() => kill(pid)))
        expect(isAlive(pid)).toBe(true)
        yield* Scope.close(scope, Exit.void)
        // it ends as soon as it writes to nobody
        yield* gone(pid)
      })
    )
  )
}
