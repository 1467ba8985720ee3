import { Client, Tools } from "@effective-mcp/client"
import type { Connection, TransportError } from "@effective-mcp/protocol"
import { connect } from "@effective-mcp/transport-http/client"
import { spawn } from "@effective-mcp/transport-stdio"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type Peer, type Remote, toAnswer } from "./Peer.ts"
import { served } from "./served.ts"

const info = { name: "tour", version: "1.0.0" }

type Era = "auto" | "modern" | "legacy"

const reach = (
  transport: Effect.Effect<Connection, TransportError, Scope.Scope>,
  era: Era
): Effect.Effect<Remote, unknown, Scope.Scope> =>
  Effect.map(Client.connect(transport, info, { era }), (client) => ({
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

const nameOf = (era: Era): string => (era === "auto" ? "our client" : `our client, ${era}`)

/** Our own client. */
export const ours = (era: Era): Peer => ({
  name: nameOf(era),
  connect: ({ args, command }) => reach(spawn({ command, args }), era)
})

/** Our own client over HTTP; the program says where it serves. */
export const oursOverHttp = (era: Era): Peer => ({
  name: `${nameOf(era)}, over HTTP`,
  connect: (program) => Effect.flatMap(served(program), (url) => reach(connect(url), era))
})
