import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Interceptor } from "@effective-mcp/http/client"
import { serve } from "@effective-mcp/transport-http/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Client } from "@effective-mcp/client"
import { connect, layer } from "../src/connect.ts"
import { info } from "../src/info.ts"
import manifest from "../package.json" with { type: "json" }
import { entry, folder, words } from "./support/programs.ts"
import { named, toolsOf } from "./support/targets.ts"
import { listening, plainServer, sseServer } from "./support/web.ts"

/** One word as a command line may have it. */
const quoted = (word: string): string => `'${word}'`

describe("connecting to", () => {
  it.live("an address, as a text or a URL, in whatever era is spoken there", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serve(named("web"))
        const both = [yield* connect(String(url)), yield* connect(new URL(url), { era: "legacy" })]
        expect(both.map(({ era }) => era)).toEqual(["modern", "legacy"])
        for (const client of both) expect(yield* toolsOf(client)).toEqual(["web"])
      })
    )
  )
  it.live("an address that speaks Streamable HTTP asks no question more than a client does", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serve(named("web"))
        const sent: Array<string> = []
        yield* connect(String(url), {
          interceptors: [
            (request, next) => {
              sent.push(`${request.method} ${request.headers["mcp-method"]}`)
              return next(request)
            }
          ]
        })
        expect(sent).toEqual(["POST server/discover"])
      })
    )
  )
  it.live("an address that speaks HTTP+SSE, which is found out", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const seen: Array<string | undefined> = []
        const origin = yield* listening(sseServer(({ headers }) => seen.push(headers.authorization)))
        const client = yield* connect(`${origin}/sse`, { apiKey: "s3cr3t-key" })
        expect(client.revision).toBe("2024-11-05")
        expect(yield* toolsOf(client)).toEqual(["old"])
        expect(new Set(seen)).toEqual(new Set(["Bearer s3cr3t-key"]))
      })
    )
  )
  it.live("an address whose wire is known, with nothing found out", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const seen: Array<string> = []
        const origin = yield* listening(sseServer(({ method, url }) => seen.push(`${method} ${url}`)))
        yield* connect({ type: "sse", url: `${origin}/sse` })
        yield* connect(`${origin}/sse`, { wire: "sse" })
        expect(seen.filter((request) => request.endsWith("/sse"))).toEqual(["GET /sse", "GET /sse"])
      })
    )
  )
  it.live("plain HTTP", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const origin = yield* listening(plainServer)
        expect(yield* toolsOf(yield* connect({ type: "plain", url: origin }))).toEqual(["old"])
        expect(yield* toolsOf(yield* connect(origin))).toEqual(["old"])
      })
    )
  )
  it.live("a command, as a line, as words and as a URL: each argument reaches it as it is", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const args = ["two words", 'a"b', "$HOME", "", "世界"]
        const [command, ...rest] = words("told", ...args)
        const query = rest.map((arg) => `arg=${encodeURIComponent(arg)}`).join("&")
        const clients = yield* Effect.all(
          [
            connect([command, ...rest].map(quoted).join(" ")),
            connect([command, ...rest]),
            connect(`stdio://${command.split("/").map(encodeURIComponent).join("/")}?${query}`)
          ],
          { concurrency: "unbounded" }
        )
        for (const client of clients) expect(JSON.parse(client.server?.name ?? "")).toMatchObject({ args })
      })
    )
  )
  it.live("R-013 an entry: its variables and its folder are the program's alone", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const cwd = yield* folder
        const client = yield* connect(
          { ...entry("told", "${env:ARG}"), env: { ODD_KEY: "k-${ARG}" }, cwd },
          { variables: { ARG: "a" } }
        )
        expect(JSON.parse(client.server?.name ?? "")).toEqual({ args: ["a"], key: "k-a", cwd })
        expect(process.env.ODD_KEY).toBeUndefined()
        const { HOME = "", PATH = "" } = process.env
        process.env.ODD_KEY = "ours"
        const [inherits, alone] = yield* Effect.all([
          connect(words("told")),
          connect({ ...entry("told"), env: { HOME, PATH } }, { extendEnv: false })
        ]).pipe(Effect.ensuring(Effect.sync(() => delete process.env.ODD_KEY)))
        expect(JSON.parse(inherits.server?.name ?? "").key).toBe("ours")
        expect(JSON.parse(alone.server?.name ?? "").key).toBeUndefined()
      })
    )
  )
  it.live("a file of servers, by its path and as a URL, with comments as hosts allow them", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serve(named("web"))
        const file = join(yield* folder, "my servers.json")
        writeFileSync(file, `{ // mine\n "servers": { "Web_1": { "type": "http", "url": "${url}", }, } }`)
        for (const target of [file, pathToFileURL(file).href]) {
          expect(yield* toolsOf(yield* connect(target))).toEqual(["Web-1_web"])
        }
        const text = yield* connect(readFileSync(file, "utf8"))
        expect(yield* toolsOf(text)).toEqual(["Web-1_web"])
      })
    )
  )
  it.live("a server in this process, in either era", () =>
    Effect.scoped(
      Effect.gen(function* () {
        for (const era of ["modern", "legacy"] as const) {
          const client = yield* connect(named("here"), { era })
          expect([client.era, ...(yield* toolsOf(client))]).toEqual([era, "here"])
        }
      })
    )
  )
  it.live("anything, as a layer", () =>
    Effect.gen(function* () {
      const client = yield* Client.Current
      expect(yield* toolsOf(client)).toEqual(["here"])
    }).pipe(Effect.provide(layer(named("here"))))
  )
})

describe("who connects", () => {
  it("is this package, unless a program says so", () => {
    expect(info.version).toBe(manifest.version)
  })
  it.live("is said to the server", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serve(named("web"))
        const said: Array<string | undefined> = []
        const hear: Interceptor = (request, next) => {
          said.push(/"name":"([^"]+)"/.exec(String(request.body))?.[1])
          return next(request)
        }
        const options = { interceptors: [hear] }
        yield* connect(String(url), options)
        yield* connect(String(url), { ...options, info: { name: "me", version: "2" } })
        expect(said).toEqual([info.name, "me"])
      })
    )
  )
})

describe("a program that knows the handshake alone", () => {
  /** A client of a fixture in one of its modes, and what was asked of that, in order. */
  const odd = (mode: string, detail = "") =>
    Effect.gen(function* () {
      const diary = join(yield* folder, "diary")
      appendFileSync(diary, "")
      const client = yield* connect(words("odd", mode, diary, detail), { client: { probeTimeout: 500 } })
      return {
        client,
        asked: () =>
          readFileSync(diary, "utf8")
            .split("\n")
            .filter((line) => !/^$|cancelled/.test(line))
      }
    })
  it.live("DET-01 is silent before that: it is connected to when the question's time is up, and not asked again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { asked, client } = yield* odd("silent")
        expect([client.era, ...(yield* toolsOf(client))]).toEqual(["legacy", "odd"])
        yield* client.reconnect
        expect(yield* toolsOf(client)).toEqual(["odd"])
        const session = ["initialize", "notifications/initialized", "tools/list"]
        expect(asked()).toEqual(["started", "server/discover", ...session, "started", ...session])
      })
    )
  )
  it.live(
    "DET-02 dies of the question: it is started once more, once for each later session, and not asked again",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { asked, client } = yield* odd("dies")
          expect(yield* toolsOf(client)).toEqual(["odd"])
          yield* client.reconnect
          expect(yield* toolsOf(client)).toEqual(["odd"])
          const session = ["initialize", "notifications/initialized", "tools/list"]
          expect(asked()).toEqual(["started", "server/discover", "started", ...session, "started", ...session])
        })
      )
  )
  for (const answer of [
    ...[-32601, -32602, -32000, -32002, 0].map(
      (code) => `{"jsonrpc":"2.0","id":$id,"error":{"code":${code},"message":"?"}}`
    ),
    `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}`,
    `{"jsonrpc":"2.0","id":$id,"result":{}}`,
    "What was that?"
  ]) {
    it.live(`DET-03 answers the question with ${answer}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { client } = yield* odd("says", answer)
          expect([client.era, ...(yield* toolsOf(client))]).toEqual(["legacy", "odd"])
        })
      )
    )
  }
  it.live("LIF-04 says more than it should ahead of its answer", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client } = yield* odd("early")
        expect(yield* toolsOf(client)).toEqual(["odd"])
      })
    )
  )
})
