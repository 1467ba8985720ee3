import { Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** How often `sleep` says how far it has got, in ms. */
const STEP = 100

const duration = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3_600_000 }))

const stepwise = Tool.make("test_tool_with_progress", {
  description: "Says three times how far it has got",
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    for (const done of [0, 50, 100]) {
      yield* call.progress(done, 100, `Completed step ${done} of 100`)
      yield* Effect.sleep(50)
    }
    return "done"
  })
})

const sleep = Tool.make("sleep", {
  description: "Sleeps, and says how far it has got; says on stderr when it is interrupted",
  input: { ms: duration.annotate({ description: "How long, in ms" }) },
  run: Effect.fnUntraced(
    function* ({ ms }) {
      const call = yield* Call
      for (let slept = 0; slept < ms;) {
        const next = Math.min(STEP, ms - slept)
        yield* Effect.sleep(next)
        slept += next
        yield* call.progress(slept, ms)
      }
      return `slept ${ms} ms`
    },
    Effect.onInterrupt(() => Effect.sync(() => void process.stderr.write("interrupted\n")))
  )
})

/** Tools that take their time. */
export const progress = [stepwise, sleep]
