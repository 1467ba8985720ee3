import { Answers, Logging } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Told } from "../src/notice.ts"
import { connect, discovered, initialized, legacy, Log, modern, result, scripted } from "./scripted.ts"

const capable = { capabilities: { logging: {} } }
const newer = () => scripted(modern({ "server/discover": discovered(capable) }))
const older = () => scripted(legacy({ initialize: initialized(capable), "logging/setLevel": result({}) }))

const answers = [
  Answers.roots([]),
  Answers.sample(() => Effect.never, { context: true }),
  Answers.form(() => Effect.succeed(Answers.cancel))
]

describe("what the protocol has deprecated", () => {
  it.effect("R-179 is told of once a process, where it is so, and not to who does not want to hear of it", () => {
    const log = new Log()
    return Effect.gen(function* () {
      const use = (server: ReturnType<typeof scripted>, notices?: boolean) =>
        Effect.gen(function* () {
          const client = yield* connect(server, { answers, notices })
          yield* Logging.setLevel(client, "error")
          return log.lines.map((line) => /deprecated (\w+):/.exec(line)?.[1])
        })
      expect(yield* use(newer(), false)).toEqual([])
      expect(yield* use(older())).toEqual([])
      const all = ["roots", "sampling", "includeContext", "logging"]
      expect(yield* use(newer())).toEqual(all)
      expect(yield* use(newer())).toEqual(all)
    }).pipe(Effect.provide(log.layer), Effect.provideService(Told, new Set()))
  })
})
