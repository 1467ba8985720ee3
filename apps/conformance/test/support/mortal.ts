import process from "node:process"
import { Server, Tool } from "@effective-mcp/server"
import { runMain, serve } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"

/** A server whose process can be ended from within, as if it had been killed. */
const server = Server.make({ name: "mortal", version: "1.0.0" }, [
  Tool.make("die", {
    run: () =>
      Effect.andThen(
        Effect.sync(() => process.kill(process.pid, "SIGKILL")),
        Effect.never
      )
  }),
  Tool.make("live", { run: () => Effect.succeed("alive") })
])

runMain(Effect.scoped(serve(server)))
