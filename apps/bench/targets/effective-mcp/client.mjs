// Effective MCP's client, on the built packages, driven by promises as the harness asks.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Client, Tools } from "@effective-mcp/client"
import { spawn } from "@effective-mcp/transport-stdio"
import { runJob } from "../client-harness.mjs"

await runJob(async ({ command: [command, ...args], lifecycle }) => {
  const scope = Scope.makeUnsafe()
  const client = await Client.connect(
    spawn({ command, args }),
    { name: "effective-mcp", version: "1.0.0" },
    { era: lifecycle }
  ).pipe(Scope.provide(scope), Effect.runPromise)
  return {
    echo: async (text) => (await Effect.runPromise(Tools.call(client, "echo", { text }))).content[0].text,
    progress: (n, onProgress) => Effect.runPromise(Tools.call(client, "progress", { n }, { onProgress })),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
})
