import { Client, Tools } from "@effective-mcp/client"
import { spawn } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Peer, toAnswer } from "./Peer.ts"

const info = { name: "tour", version: "1.0.0" }

/** Our own client. */
export const ours = (era: "auto" | "modern" | "legacy"): Peer => ({
  name: era === "auto" ? "our client" : `our client, ${era}`,
  connect: ({ args, command }) =>
    Effect.map(Client.connect(spawn({ command, args }), info, { era }), (client) => ({
      server: client.server?.name,
      revision: client.revision,
      tools: Effect.map(Stream.runCollect(Tools.all(client)), (tools) => tools.map(({ name }) => name)),
      call: (tool, args) =>
        Effect.suspend(() => {
          let progress = 0
          return Effect.map(Tools.call(client, tool, args, { onProgress: () => void progress++ }), (result) =>
            toAnswer(result, progress)
          )
        })
    }))
})
