import { type Client, Tools } from "@effective-mcp/client"
import { connect, type ConnectTargetError } from "@effective-mcp/detector"
import type { TransportError } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { serve as serveHttp } from "@effective-mcp/transport-http/server"
import { serve as serveSse } from "@effective-mcp/transport-sse/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { fileURLToPath } from "node:url"
import { calculatorServer } from "../peers/Program.ts"
import { plainHttp } from "./plainHttp.ts"

const add = Tool.make("add", {
  description: "Adds two numbers",
  input: { a: Schema.Finite, b: Schema.Finite },
  run: ({ a, b }) => Effect.succeed(`${a + b}`)
})
const ofEras = (...eras: readonly ["modern" | "legacy", ..."legacy"[]]) =>
  Server.make({ name: "calculator", version: "1.0.0" }, [add], { eras })

const today = ofEras("modern")
const yesterday = ofEras("legacy")
const calculator = ofEras("modern", "legacy")

/** No word of what is deprecated, which HTTP+SSE is. */
const quiet = { notices: false }

/** A kind of target, how it is connected to, and what its tool is called there. */
export interface Shown {
  readonly kind: string
  readonly client: Effect.Effect<Client.Client, ConnectTargetError, Scope.Scope>
  readonly tool?: string
}

/** Ten kinds of targets, a line each; the servers among them run until the scope ends. */
export const targets: Effect.Effect<ReadonlyArray<Shown>, TransportError, Scope.Scope> = Effect.gen(function* () {
  const [{ url: modern }, { url: legacy }, { url: sse }] = yield* Effect.all([
    serveHttp(today),
    serveHttp(yesterday),
    serveSse(calculator)
  ])
  const plain = yield* plainHttp(today)
  const { args, command } = calculatorServer
  const line = [command, ...args].map((word) => `'${word}'`).join(" ")
  const stdio = `stdio://${encodeURI(command)}?${args.map((arg) => `arg=${encodeURIComponent(arg)}`).join("&")}`
  const file = fileURLToPath(new URL("servers.json", import.meta.url))

  const variables = { TODAY: modern, OLDER: sse }

  const shown: ReadonlyArray<Shown> = [
    { kind: "an address of today", client: connect(modern) },
    { kind: "an address of the handshake alone", client: connect(new URL(legacy)) },
    { kind: "an address of HTTP+SSE", client: connect(sse, { client: quiet }) },
    { kind: "an address of plain HTTP", client: connect({ type: "plain", url: plain }) },
    { kind: "a command line", client: connect(line) },
    { kind: "the words of a command", client: connect([command, ...args]) },
    { kind: "a stdio: URL", client: connect(stdio) },
    { kind: "servers, as an object", client: connect({ mcpServers: { calc: { command, args } } }), tool: "calc_add" },
    {
      kind: "servers, as a host's file",
      client: connect(file, { variables, client: quiet }),
      tool: "older_add"
    },
    { kind: "a server in this process", client: connect(calculator) }
  ]
  return shown
})

/** Connects, has a sum worked out, and says with whom. */
export const meet = ({ client, tool = "add" }: Shown): Effect.Effect<string, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const connected = yield* client
      const sum = Tools.text(yield* Tools.call(connected, tool, { a: 19, b: 23 }))
      if (sum !== "42") yield* Effect.fail(new Error(`not as expected: ${sum}`))
      return `${tool}(19, 23) = ${sum}, speaking ${connected.revision}`
    })
  )
