import { Client, type VersionNegotiationMode } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import * as Effect from "effect/Effect"
import { ask, type Peer, toAnswer } from "./Peer.ts"

/** The official client, version 2; what it does by default is the handshake. */
export const officialV2 = (mode?: VersionNegotiationMode): Peer => ({
  name: `official v2, ${mode === undefined ? "default" : typeof mode === "string" ? mode : `pinned ${mode.pin}`}`,
  connect: ({ args, command }) =>
    Effect.gen(function* () {
      const client = new Client(
        { name: "official-v2", version: "2.4.0" },
        mode === undefined ? {} : { versionNegotiation: { mode } }
      )
      const transport = new StdioClientTransport({ command, args: [...args], stderr: "ignore" })
      // before it connects, so that it also ends the server of an attempt that was given up
      yield* Effect.addFinalizer(() => Effect.ignore(ask(() => client.close())))
      yield* ask((signal) => client.connect(transport, { signal }))
      return {
        server: client.getServerVersion()?.name,
        revision: client.getNegotiatedProtocolVersion(),
        tools: Effect.map(
          ask((signal) => client.listTools(undefined, { signal })),
          ({ tools }) => tools.map(({ name }) => name)
        ),
        call: (name, args) =>
          Effect.suspend(() => {
            let progress = 0
            const onprogress = () => void progress++
            return Effect.map(
              ask((signal) => client.callTool({ name, arguments: args }, { signal, onprogress })),
              (result) => toAnswer(result, progress)
            )
          })
      }
    })
})
