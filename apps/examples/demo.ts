/** Runs `tour.ts` on Node, Bun and Deno, one after the other, and sums up. */
import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import { fileURLToPath } from "node:url"
import { marks } from "./tour/Report.ts"
import { binary, options, type Runtime, runtimes } from "./peers/runtimes.ts"
import { run } from "./tour/run.ts"

const tour = fileURLToPath(new URL("tour.ts", import.meta.url))

const optionsOf = (runtime: Runtime): ReadonlyArray<string> =>
  runtime === "deno" ? [...options.deno, "--allow-run", "--allow-net"] : options[runtime]

const demo = Effect.gen(function* () {
  console.log("Effective MCP: clients and servers of several makers talk over stdio and HTTP, on three runtimes.")
  console.log("One line is one check: what was asked, how long it took, and some of what was answered.")
  const start = performance.now()
  const count = { passed: 0, failed: 0 }
  const print = (line: string): void => {
    if (line.startsWith(marks.passed)) count.passed++
    if (line.startsWith(marks.failed)) count.failed++
    console.log(line)
  }
  for (const runtime of runtimes) {
    const { failed, passed } = { ...count }
    const wrong = yield* run(binary(runtime), [...optionsOf(runtime), tour], print)
    // a check that failed has said so itself
    if (count.failed > failed) continue
    if (wrong !== undefined) print(`${marks.failed} ${runtime} ${wrong}`)
    else if (count.passed === passed) print(`${marks.failed} ${runtime} has checked nothing`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`\n${count.passed} checks passed, ${count.failed} failed, in ${seconds} s`)
  if (count.failed > 0) yield* Effect.fail("the demo failed")
})

runMain(demo)
