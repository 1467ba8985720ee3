import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { drive } from "./support/drive.ts"
import { lean } from "./support/lean.ts"
import { gone, isAlive, kill } from "./support/processes.ts"
import { program } from "./support/program.ts"

const server = program("server", "pid")
const tiny = lean()

for (const [what, ask, { args, command }] of [
  ["of ours that waits for something to do", "wait", server],
  ["of ours that has something to do that takes for ever", "ask", server],
  ["of another make that reads its input", "wait", tiny]
] as const) {
  it.live(`STD-13 R-010 a server ${what} ends when its client is killed, which can end nothing itself`, () =>
    Effect.scoped(
      Effect.gen(function* () {
        const host = yield* drive(program("host", ask, command, ...args))
        expect(yield* host.line).toBe("ready")
        if (ask === "ask") yield* host.says("stuck")
        yield* host.says("pid ")
        const pid = Number(/pid (\d+)/.exec(host.stderr())?.[1])
        expect(isAlive(pid)).toBe(true)
        kill(host.pid)
        yield* host.exit
        yield* gone(pid)
      })
    )
  )
}
