import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import * as Effect from "effect/Effect"
import { ask, type Peer, toAnswer } from "./Peer.ts"

/** The official client, version 1, which only knows the handshake. */
export const officialV1: Peer = {
  name: "official v1",
  connect: ({ args, command }) =>
    Effect.gen(function* () {
      const client = new Client({ name: "official-v1", version: "1.32.2" })
      let revision: string | undefined
      const transport = Object.assign(new StdioClientTransport({ command, args: [...args], stderr: "ignore" }), {
        setProtocolVersion: (version: string) => {
          revision = version
        }
      })
      // before it connects, so that it also ends the server of an attempt that was given up
      yield* Effect.addFinalizer(() => Effect.ignore(ask(() => client.close())))
      yield* ask((signal) => client.connect(transport, { signal }))
      return {
        server: client.getServerVersion()?.name,
        revision,
        tools: Effect.map(
          ask((signal) => client.listTools(undefined, { signal })),
          ({ tools }) => tools.map(({ name }) => name)
        ),
        call: (name, args) =>
          Effect.suspend(() => {
            let progress = 0
            const onprogress = () => void progress++
            return Effect.map(
              ask((signal) => client.callTool({ name, arguments: args }, undefined, { signal, onprogress })),
              (result) => toAnswer(result, progress)
            )
          })
      }
    })
}
