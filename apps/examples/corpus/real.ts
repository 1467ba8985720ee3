import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { Server, Tool } from "@effective-mcp/server"
import { serve, type ServeOptions } from "@effective-mcp/transport-http/server"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { overHttp, type Program, serving as program } from "../peers/Program.ts"
import { freePort, served } from "../peers/served.ts"

type Start = Effect.Effect<string, Error, Scope.Scope>

/** A path in this project, from this folder. */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const own = (name: string, ...args: ReadonlyArray<string>): Start => served(program(at(`programs/${name}.ts`), ...args))

/** A program that is told its port and where on it the endpoint is. */
const onPort = (
  path: string,
  said: RegExp,
  start: (port: number) => readonly [Program, Record<string, string>]
): Start =>
  Effect.gen(function* () {
    const port = yield* freePort
    const [given, env] = start(port)
    yield* served(given, said, { NODE_ENV: "production", ...env })
    return `http://127.0.0.1:${port}${path}`
  })

const everything = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js")
const ofEverything = (how: string, path: string, said: RegExp): Start =>
  onPort(path, said, (port) => [program(everything, how), { PORT: String(port) }])

const fastmcp = at("programs/fastmcp.ts")
const ofFastmcp = (lifecycle: string, path: string): Start =>
  onPort(path, /ready/, (port) => [program(fastmcp, "http", String(port), lifecycle), {}])

const ours = (eras: Server.Options["eras"], options: ServeOptions = {}): Start =>
  Effect.map(
    serve(
      Server.make(
        { name: "ours", version: "1.0.0" },
        [Tool.make("hello", { description: "Says hello", input: {}, run: () => Effect.succeed("hello") })],
        eras === undefined ? {} : { eras }
      ),
      options
    ),
    ({ url }) => url
  )

/** Servers of the protocol, by the name of what is recorded of them. */
export const real: { readonly [name: string]: Start } = {
  "official-v1-stateful": served(overHttp("officialV1")),
  "official-v1-stateless": own("officialV1", "stateless"),
  "official-v1-sse": own("officialV1", "sse"),
  "official-v2-stateful": served(overHttp("officialV2")),
  "official-v2-stateless": served(overHttp("officialV2", "stateless")),
  "official-v2-modern": own("officialV2"),
  "effect-ai-both": served(overHttp("effectAi")),
  "effect-ai-modern": own("effectAi", "modern"),
  "effect-ai-legacy": own("effectAi", "legacy"),
  "everything-http": ofEverything("streamableHttp", "/mcp", /listening on port/i),
  "everything-sse": ofEverything("sse", "/sse", /running on port/i),
  "ours-both": ours(undefined),
  "ours-modern": ours(["modern"]),
  "ours-legacy": ours(["legacy"]),
  "ours-stateless": ours(undefined, { sessions: false }),
  ...(existsSync(at("../../bench/targets/fastmcp/node_modules"))
    ? {
        "fastmcp-http": ofFastmcp("legacy", "/mcp"),
        "fastmcp-stateless": ofFastmcp("legacy-stateless", "/mcp"),
        "fastmcp-sse": ofFastmcp("legacy", "/sse")
      }
    : undefined)
}
