/**
 * Clients and servers of several makers, talking over stdio and HTTP on the runtime that runs this: one line a check.
 * It fails when a check does.
 */
import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { effectAi } from "./peers/effectAi.ts"
import { officialV1 } from "./peers/officialV1.ts"
import { officialV2 } from "./peers/officialV2.ts"
import { ours, oursOverHttp } from "./peers/ours.ts"
import type { Peer } from "./peers/Peer.ts"
import { calculatorServer, everythingServer, filesServer, overHttp, type Program } from "./peers/Program.ts"
import { runtime, version } from "./peers/runtimes.ts"
import { ofCalculator, ofEverything, ofFiles, ofFilesInShort, ofOffer } from "./tour/questions.ts"
import { meet, targets } from "./targets/targets.ts"
import type { Question } from "./tour/Question.ts"
import * as Report from "./tour/Report.ts"

const report = Report.make(console.log)

/** One client and one server, as many questions, a line each. */
const visit = (peer: Peer, title: string, program: Program, questions: ReadonlyArray<Question>) =>
  Effect.scoped(
    Effect.gen(function* () {
      report.chapter(`${peer.name} → ${title}`)
      const remote = yield* report.check(
        "connect",
        peer.connect(program),
        ({ revision, server }) => `${server}, speaking ${revision}`
      )
      if (remote === undefined) return
      for (const { asked, of } of questions) yield* report.check(asked, of(remote), (part) => part)
    })
  )

/** One client and one server in one line. */
const glance = (peer: Peer, program: Program, { of }: Question) =>
  report.check(peer.name, Effect.scoped(Effect.flatMap(peer.connect(program), of)), (part) => part)

const others: ReadonlyArray<Peer> = [
  officialV2({ pin: "2026-07-28" }),
  officialV2(),
  officialV1,
  effectAi("2026-07-28"),
  effectAi("2025-11-25")
]

const tour = Effect.gen(function* () {
  console.log(`\n${runtime} ${version}`)
  for (const era of ["modern", "legacy"] as const) yield* visit(ours(era), "our files server", filesServer, ofFiles)
  yield* visit(ours("auto"), "the reference server (server-everything)", everythingServer, ofEverything)
  report.chapter(`over HTTP → the official v2 server: ${ofOffer.asked}`)
  for (const era of ["modern", "legacy"] as const) yield* glance(oursOverHttp(era), overHttp("officialV2"), ofOffer)
  report.chapter(`other clients → our files server: ${ofFilesInShort.asked}`)
  for (const peer of others) yield* glance(peer, filesServer, ofFilesInShort)
  report.chapter(`the server of ten lines: ${ofCalculator.asked}`)
  yield* glance(ours("auto"), calculatorServer, ofCalculator)
  report.chapter("connect(target), whatever the target is: add(19, 23)")
  yield* Effect.scoped(
    Effect.flatMap(targets, (shown) =>
      Effect.forEach(shown, (target) => report.check(target.kind, meet(target), (part) => part))
    )
  )
  if (report.failed() > 0) yield* Effect.fail(`${report.failed()} checks failed on ${runtime}`)
})

runMain(tour)
