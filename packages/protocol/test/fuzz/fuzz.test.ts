import { describe, expect, it } from "vitest"
import { anySeed, line, parseReplay } from "./Target.ts"
import { targets } from "./targets.ts"

/** `FUZZ_MS`: how long each target runs; `FUZZ_SEED`: where all begin; `FUZZ_REPLAY`: the one failure to see again. */
const { FUZZ_MS = "2500", FUZZ_REPLAY, FUZZ_SEED } = process.env
const replay = FUZZ_REPLAY === undefined ? undefined : parseReplay(FUZZ_REPLAY)

describe("for any input", () => {
  for (const target of targets.filter(({ name }) => replay === undefined || replay.name === name)) {
    // the time is there to report a failure, which is made small first
    it(`${target.name} holds`, { timeout: 120_000 }, () => {
      const report = target.run({
        inputs: 1_000_000,
        ms: replay === undefined ? Number(FUZZ_MS) : undefined,
        seed: replay?.seed ?? (FUZZ_SEED === undefined ? anySeed() : Number(FUZZ_SEED)),
        path: replay?.path
      })
      console.log(line(report))
      expect(report.failure).toBeUndefined()
    })
  }
})
