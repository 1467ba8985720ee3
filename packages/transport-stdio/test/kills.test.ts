import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Restart } from "../src/index.ts"
import { killing } from "./support/kills.ts"

for (const restart of [Restart.lazy, Restart.eager(3)]) {
  it.live(
    `R-006 R-026 a process that is killed 100 times under 16 calls leaves none of them open, and no zombie: ${restart._tag}`,
    () =>
      Effect.gen(function* () {
        const tally = yield* killing(100, restart)
        expect(tally).toMatchObject({ kills: 100, calls: 100 * 16, late: 0, repeated: 0, zombies: 0, processes: 100 })
        expect(tally.slowestMs).toBeLessThan(1_000)
        // those that are never answered
        const lost = [...tally.errors.values()].reduce((sum, count) => sum + count, 0)
        expect(lost).toBeGreaterThanOrEqual(100 * 4)
        expect(tally.values + lost).toBe(tally.calls)
        for (const what of tally.errors.keys()) expect(what).toMatch(/^TransportError (Unknown|NotSent)$/)
      }),
    60_000
  )
}
