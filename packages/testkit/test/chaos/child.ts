/** A server on a stdio that fails at random while there is a storm: its arguments are the file of runs, that of the storm, and a seed. */
import { appendFileSync, existsSync } from "node:fs"
import { Peer, TransportError } from "@effective-mcp/protocol"
import { Faults, overBytes } from "@effective-mcp/testkit"
import { runMain } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { counting } from "./server.ts"

const [runs = "", storm = "", seed = ""] = process.argv.slice(2)

const stdio = {
  incoming: Stream.fromAsyncIterable<Uint8Array, TransportError>(process.stdin, (cause) =>
    TransportError.make({ _tag: "Closed", cause })
  ),
  send: (bytes: Uint8Array) => Effect.sync(() => void process.stdout.write(bytes)),
  close: Effect.sync(() => process.kill(process.pid, "SIGKILL"))
}
const chances = existsSync(storm)
  ? { drop: 0.01, delay: 0.05, duplicate: 0.05, half: 0.01, reset: 0.01, blackHole: 0.002, delayMs: 50 }
  : undefined

runMain(
  Effect.gen(function* () {
    const wrapped = yield* Faults.make({ seed: Number(seed), chances }).wrapBytes(stdio)
    yield* Peer.host(
      overBytes(wrapped),
      counting((key) => appendFileSync(runs, `${key}\n`))
    )
  }).pipe(Effect.scoped)
)
