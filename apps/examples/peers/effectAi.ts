import * as NodeChildProcessSpawner from "@effect/platform-node-shared/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import * as McpClient from "effect/ai/McpClient"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ChildProcess from "effect/process/ChildProcess"
import { type Peer, toAnswer } from "./Peer.ts"

const spawner = NodeChildProcessSpawner.layer.pipe(Layer.provide([NodeFileSystem.layer, NodePath.layer]))

const protocols = { "2025-11-25": McpProtocol.v2025_11_25, "2026-07-28": McpProtocol.v2026_07_28 }

/** The client that comes with Effect: it speaks one version, chosen beforehand, and hears no progress. */
export const effectAi = (version: keyof typeof protocols): Peer => ({
  name: `effect/ai, ${version}`,
  connect: ({ args, command }) =>
    Effect.gen(function* () {
      const layer = McpClient.layerStdio({
        name: "effect-ai",
        version: "4.1.0",
        command: ChildProcess.make(command, args),
        protocol: protocols[version]
      })
      const client = Context.get(yield* Layer.build(Layer.provide(layer, spawner)), McpClient.McpClient)
      return {
        server: client.serverInfo?.name,
        revision: client.protocolVersion,
        tools: Effect.map(client.listTools(), (tools) => tools.map(({ name }) => name)),
        call: (name, args) =>
          Effect.gen(function* () {
            const tool = (yield* client.listTools()).find((tool) => tool.name === name)
            if (tool === undefined) return yield* Effect.fail(new Error(`no tool is called ${name}`))
            return toAnswer(yield* client.callTool({ tool, arguments: args }))
          })
      }
    })
})
