// Effective MCP's client, on the built packages, driven by promises as the harness asks.
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { Client, Tools } from "@effective-mcp/client"
import { runJob } from "../client-harness.mjs"

const reach = async ({ command: [command, ...args] = [], transport, url }) => {
  if (transport === "stdio") return (await import("@effective-mcp/transport-stdio")).spawn({ command, args })
  return (await import("@effective-mcp/transport-http/client")).connect(url)
}

await runJob(async (job) => {
  const scope = Scope.makeUnsafe()
  const client = await Client.connect(
    await reach(job),
    { name: "effective-mcp", version: "1.0.0" },
    { era: job.lifecycle }
  ).pipe(Scope.provide(scope), Effect.runPromise)
  return {
    echo: async (text) => (await Effect.runPromise(Tools.call(client, "echo", { text }))).content[0].text,
    progress: (n, onProgress) => Effect.runPromise(Tools.call(client, "progress", { n }, { onProgress })),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
})
