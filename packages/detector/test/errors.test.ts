import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { inspect } from "node:util"
import type { ClientRequest, HttpClient } from "@effective-mcp/http/client"
import { serve } from "@effective-mcp/transport-http/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { connect } from "../src/connect.ts"
import { ConnectTargetError } from "../src/ConnectTargetError.ts"
import { entry, folder, words } from "./support/programs.ts"
import { failure, named } from "./support/targets.ts"
import { listening } from "./support/web.ts"

const META = "https://auth.example/.well-known/oauth-protected-resource"

/** A server of many faults, a path each. */
const faulty = listening(({ url }, response) => {
  switch (url?.split("?")[0]) {
    case "/page":
      return response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end("<html>s3cr3t-page</html>")
    case "/401":
      return response.writeHead(401, { "www-authenticate": `Bearer error="x", resource_metadata="${META}"` }).end()
    case "/403":
      return response.writeHead(403).end()
    case "/rpc401":
      return response
        .writeHead(401, {
          "content-type": "application/json",
          "www-authenticate": `Bearer resource_metadata="${META}"`
        })
        .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Unauthorized"}}')
    case "/open401":
      return response.writeHead(401).end()
    case "/500":
      return response.writeHead(500).end()
    case "/429":
      return response.writeHead(429, { "retry-after": "3600" }).end()
    case "/away":
      return response.writeHead(307, { location: "https://other.example/mcp?token=s3cr3t" }).end()
    case "/empty":
      return response.writeHead(200).end()
    case "/silent":
      return undefined
    default:
      return response.writeHead(404, { "content-type": "text/html" }).end("<html>")
  }
})

describe("an address", () => {
  const rules: ReadonlyArray<readonly [path: string, reason: object, fix: RegExp, tried: ReadonlyArray<string>]> = [
    ["/page", { _tag: "NotMcp", isPage: true }, /web page.*\/mcp/, ["Streamable HTTP", "POST ping", "GET"]],
    ["/missing", { _tag: "NotMcp", isPage: true }, /\/mcp/, ["Streamable HTTP", "POST ping", "GET"]],
    ["/empty", { _tag: "NotMcp", isPage: false }, /\/mcp/, ["Streamable HTTP", "POST ping", "GET"]],
    [
      "/401",
      { _tag: "NeedsAuth", status: 401, resourceMetadata: META },
      /are not accepted: check them.*auth\.example/,
      ["Streamable HTTP"]
    ],
    [
      "/rpc401",
      { _tag: "NeedsAuth", status: 401, resourceMetadata: META },
      /are not accepted: check them.*auth\.example/,
      ["Streamable HTTP"]
    ],
    ["/403", { _tag: "NeedsAuth", status: 403 }, /check the key/, ["Streamable HTTP"]],
    ["/500", { _tag: "HttpStatus", status: 500 }, /Try again later/, ["Streamable HTTP"]],
    ["/429", { _tag: "HttpStatus", status: 429, retryAfterMs: 3_600_000 }, /wait 3600000 ms/, ["Streamable HTTP"]],
    ["/away", { _tag: "Redirected" }, /if it is to be trusted/, ["Streamable HTTP"]]
  ]
  for (const [path, reason, fix, tried] of rules) {
    it.live(`where there is ${path} fails as ${JSON.stringify(reason)}, with what was tried and what to do`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const origin = yield* faulty
          const error = yield* failure(connect(`${origin}${path}?key=s3cr3t-in-query`, { apiKey: "s3cr3t-key" }))
          expect(error).toMatchObject({ _tag: "ConnectTargetError", target: `${origin}${path}`, reason })
          expect(error.fix).toMatch(fix)
          expect(error.steps.map((step) => step.tried)).toEqual(tried)
          for (const { came, ms } of error.steps) {
            expect(came).not.toBe("")
            expect(ms).toBeGreaterThanOrEqual(0)
          }
          expect(error.message).toContain(error.fix)
          expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cr3t")
        })
      )
    )
  }
  it.live("that is given a header that none may hold is not blamed for it, and nothing is sent to it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let asked = 0
        const origin = yield* listening((_request, response) => (asked++, response.end()))
        const error = yield* failure(connect(`${origin}/mcp`, { apiKey: "s3cr3t\nkey" }))
        expect(error).toMatchObject({
          reason: { _tag: "Unsendable" },
          fix: expect.stringMatching(/headers and apiKey/)
        })
        expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cr3t")
        expect(asked).toBe(0)
      })
    )
  )
  it.live("that wants to know who calls, and has not been told, says how", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const origin = yield* faulty
        const error = yield* failure(connect(`${origin}/rpc401`, { headers: { "x-tenant": "a" } }))
        expect(error.fix).toMatch(/^It needs authorization, and says how at .*auth\.example.*: give headers, apiKey/)
        const bare = yield* failure(connect(`${origin}/open401`))
        expect(bare.fix).toBe("It needs authorization: give headers, apiKey or interceptors.")
        const entry = yield* failure(connect({ url: `${origin}/open401`, headers: { "X-Api-Key": "k" } }))
        expect(entry.fix).toMatch(/are not accepted/)
      })
    )
  )
  it.live("where another wire is spoken than the program says", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serve(named("web"))
        for (const [wire, reason] of [
          ["sse", { _tag: "NotMcp", detail: expect.stringMatching(/^HTTP\+SSE is not spoken at this address/) }],
          ["plain", { _tag: "Refused" }]
        ] as const) {
          for (const connecting of [connect(url, { wire }), connect({ type: wire, url: String(url) })]) {
            const error = yield* failure(connecting)
            expect(error.reason).toMatchObject(reason)
            expect(error.fix).toMatch(/^Leave out type and wire/)
          }
        }
        const path = yield* failure(connect(new URL("/nope", url), { wire: "streamable-http" }))
        expect(path.reason).toMatchObject({ _tag: "NotMcp" })
        expect(path.fix).toMatch(/^Leave out type and wire.*Check the path/)
      })
    )
  )
  it.live("where nobody listens is not there", () =>
    Effect.gen(function* () {
      const origin = yield* Effect.scoped(listening(() => {}))
      const error = yield* failure(Effect.scoped(connect(`${origin}/mcp`)))
      expect(error).toMatchObject({
        reason: { _tag: "Unreachable", code: "ECONNREFUSED" },
        fix: expect.stringMatching(/Nobody listens/)
      })
    })
  )
  it.live("that says nothing fails when its time is up, and all that was begun is over", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const origin = yield* faulty
        const error = yield* failure(connect(`${origin}/silent`, { totalTimeout: 300 }))
        expect(error).toMatchObject({ reason: { _tag: "Silent", afterMs: 300 }, steps: [{ tried: "Streamable HTTP" }] })
        expect(error.fix).not.toMatch(/standard error/)
      })
    )
  )
  it.live("that speaks JSON-RPC of another kind says so", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const origin = yield* listening(async (request, response) => {
          const { id } = JSON.parse(await text(request))
          const error = { code: -32601, message: "the method eth_server does not exist" }
          response.writeHead(200, { "content-type": "application/json" })
          response.end(JSON.stringify({ jsonrpc: "2.0", id, error }))
        })
        const error = yield* failure(connect(origin))
        expect(error.reason).toMatchObject({ _tag: "Refused", code: -32601 })
        expect(error.fix).toMatch(/does not know this protocol/)
      })
    )
  )
  const echoing = listening(async (request, response) => {
    const { id } = JSON.parse(await text(request))
    const padding = "x".repeat(Number(request.url?.slice(1)))
    const error = { code: -32600, message: `${padding} no such key: ${request.headers.authorization}` }
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error }))
  })
  const authorization = "Bearer s3cr3t-token-of-somebody"
  const ways = {
    headers: { headers: { authorization } },
    "headers that are made anew": { headers: Effect.succeed({ authorization }) },
    interceptors: {
      interceptors: [
        (request: ClientRequest, next: HttpClient) =>
          next({ ...request, headers: { ...request.headers, authorization } })
      ]
    }
  }
  for (const [way, options] of Object.entries(ways)) {
    it.live(`that repeats what it was sent is not repeated, nor where that is cut: by ${way}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const origin = yield* echoing
          for (const length of [0, 70, 270]) {
            const error = yield* failure(connect(`${origin}/${length}`, options))
            expect(error.reason._tag).toBe("Refused")
            expect(inspect(error, { depth: 9, showHidden: true, maxStringLength: null })).not.toContain("s3cr3t-")
          }
        })
      )
    )
  }
  it.live("of the right server and the wrong path says so", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serve(named("web"))
        const error = yield* failure(connect(new URL("/nope", url)))
        expect(error.reason).toMatchObject({ _tag: "NotMcp" })
        expect(error.fix).toMatch(/Check the path/)
      })
    )
  )
})

describe("a command", () => {
  it.live("that is not there", () =>
    Effect.gen(function* () {
      const error = yield* failure(Effect.scoped(connect("no-such-program-xyz --api-key s3cr3t")))
      expect(error).toMatchObject({
        target: "the program no-such-program-xyz",
        reason: { _tag: "Unreachable", code: "ENOENT" }
      })
      expect(error.message).toContain(": there is no program no-such-program-xyz (ENOENT)\n")
      expect(error.fix).toMatch(/^Check.*PATH/)
      const meant = yield* failure(Effect.scoped(connect("no-such.example/mcp")))
      expect(meant.fix).toMatch(/begins with http:.*PATH/)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cr3t")
    })
  )
  it.live("that ends early fails with the last of what it said, bounded, without what it was given in secret", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const [command, ...args] = words("odd", "exits", "", "Error: ${KEY} is no key\n".repeat(1_000))
        const error = yield* failure(
          connect({ command, args, env: { K: "${KEY}" } }, { variables: { KEY: "s3cr3t-value" } })
        )
        expect(error.reason).toMatchObject({
          _tag: "Exited",
          code: 3,
          stderr: expect.stringMatching(/Error: \*\*\* is no key/)
        })
        expect(error.reason._tag === "Exited" && error.reason.stderr.length).toBeLessThanOrEqual(4_096)
        expect(error.message).toContain("Error: *** is no key")
        expect(error.message.length).toBeLessThan(3_000)
        expect(inspect(error, { depth: 9, showHidden: true, maxStringLength: null })).not.toContain("s3cr3t")
      })
    )
  )
  it.live("whose configuration names what every object has is told that no such variable is set", () =>
    Effect.gen(function* () {
      for (const name of ["constructor", "toString", "__proto__"]) {
        const entry = { command: `no-such-program-\${${name}}` }
        const error = yield* failure(Effect.scoped(connect(entry)))
        expect(error.reason).toMatchObject({ _tag: "Unset", variable: name })
      }
      const variables: Record<string, string> = JSON.parse(`{"COUNT":5}`)
      const error = yield* failure(Effect.scoped(connect({ command: "${COUNT}" }, { variables })))
      expect(error.reason).toMatchObject({ _tag: "Unset", variable: "COUNT" })
    })
  )
  it.live("that says things that are no messages, and nothing else", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let told = ""
        const stderr = (chunk: string): void => void (told += chunk)
        const options = { client: { probeTimeout: 1_000, timeout: 300 }, stderr }
        const error = yield* failure(connect(words("odd", "noise"), options))
        expect(error).toMatchObject({ reason: { _tag: "Silent", stderr: "waiting for a key\n" } })
        expect(error.message).toContain("| waiting for a key")
        expect(error.fix).toMatch(/standard error/)
        expect(told).toBe("waiting for a key\n")
      })
    )
  )
  for (const [result, reason] of [
    [`{"protocolVersion":"2099-01-01","capabilities":{},"serverInfo":{"name":"a","version":"1"}}`, "NoCommonRevision"],
    [`{"capabilities":{}}`, "Broken"],
    [`"text"`, "Broken"]
  ] as const) {
    it.live(`LIF-01 whose handshake ends with ${result} fails as ${reason}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const options = { era: "legacy" } as const
          const error = yield* failure(connect(words("odd", "version", "", result), options))
          expect(error.reason._tag).toBe(reason)
        })
      )
    )
  }
  for (const [code, data, reason] of [
    [-32022, { supported: ["2099-01-01"], requested: "2026-07-28" }, "NoCommonRevision"],
    [-32021, { requiredCapabilities: { roots: {} } }, "Refused"],
    [-32020, undefined, "Refused"]
  ] as const) {
    it.live(`DET-04 that refuses in modern words (${code}) fails as ${reason}, and is never given a handshake`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const answer = `{"jsonrpc":"2.0","id":$id,"error":${JSON.stringify({ code, message: "?", data })}}`
          const error = yield* failure(connect(words("odd", "says", "", answer)))
          expect(error.reason._tag).toBe(reason)
        })
      )
    )
  }
})

describe("a failure leaves nothing behind", () => {
  const pidsOf = (diary: string): ReadonlyArray<number> =>
    readFileSync(`${diary}.pids`, "utf8").trim().split("\n").map(Number)
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  it.live("when the time is up", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const diary = join(yield* folder, "diary")
        const error = yield* failure(connect(words("odd", "noise", diary), { totalTimeout: 1_500 }))
        expect(error.reason).toMatchObject({ _tag: "Silent", afterMs: 1_500 })
        expect(pidsOf(diary).filter(isAlive)).toEqual([])
      })
    )
  )
  it.live("when another server of the configuration fails", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const diary = join(yield* folder, "diary")
        const config = { mcpServers: { good: entry("odd", "plain", diary), bad: entry("odd", "exits", "", "no") } }
        yield* failure(connect(config, { era: "legacy" }))
        expect(pidsOf(diary)).not.toEqual([])
        expect(pidsOf(diary).filter(isAlive)).toEqual([])
      })
    )
  )
})

describe("what is no target", () => {
  const rules: ReadonlyArray<readonly [target: unknown, detail: RegExp]> = [
    ["", /empty/],
    ["   ", /empty/],
    ["ws://a.example", /nothing here speaks ws:/],
    ["ftp://a.example", /nothing here speaks ftp:/],
    ["http://", /no http: or https: address/],
    ["http://me:s3cr3t@a.example/", /user or password/],
    ["localhost:3000/mcp", /begins with http/],
    ["127.0.0.1:80", /begins with http/],
    ["stdio://", /names one program/],
    ["npx a | tee s3cr3t", /\| outside quotes/],
    ["npx 'a", /never closed/],
    ["file://other.example/a.json", /names no file|is not there/],
    [[], /no program/],
    [[""], /no program/],
    [["a", 5], /no text/],
    [5, /nothing can be connected/],
    [null, /nothing can be connected/],
    [undefined, /nothing can be connected/],
    [{}, /this object/],
    [{ modern: {}, converse: 5 }, /this object/],
    [() => {}, /nothing can be connected/]
  ]
  for (const [target, detail] of rules) {
    it.live(`${inspect(target)} is refused in words`, () =>
      Effect.gen(function* () {
        // cast: as plain JavaScript may have it
        const error = yield* failure(Effect.scoped(connect(target as string)))
        expect(error).toBeInstanceOf(ConnectTargetError)
        expect(error.message).toMatch(detail)
        expect(error.steps).toEqual([])
        expect(error.message).not.toContain("s3cr3t")
      })
    )
  }
  it.live("a file that is none, or none of JSON", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const path = yield* folder
        const file = (name: string, text: string): string => {
          writeFileSync(join(path, name), text)
          return join(path, name)
        }
        const deep = `{"mcpServers":{"a":{"command":"a","x":${"[".repeat(300_000)}${"]".repeat(300_000)}}}}`
        for (const [target, detail] of [
          [join(path, "none.json"), /is not there/],
          [file("bad.json", "{ s3cr3t"), /is no JSON/],
          [file("empty.json", ""), /is no JSON/],
          [file("list.json", "[]"), /neither mcpServers nor servers/],
          [file("large.json", `{"mcpServers":{}}${" ".repeat(1024 * 1024)}`), /more than/],
          [file("deep.json", deep), /is no JSON|ENOENT/],
          [`{ s3cr3t`, /is no JSON/]
        ] as const) {
          const error = yield* failure(connect(target))
          expect(error.message).toMatch(detail)
          expect(error.message).not.toContain("s3cr3t")
        }
        const gone = yield* failure(connect("./no-such-file.json"))
        expect(gone.fix).toContain(process.cwd())
        const wrong = yield* failure(connect(file("wrong.json", '{\n  "mcpServers": {\n    "a": s3cr3t }\n}')))
        expect(wrong.reason).toMatchObject({
          _tag: "BadConfig",
          at: expect.stringMatching(/^line 3, column 10 of the file/)
        })
      })
    )
  )
})

it("options that mean nothing throw at once", () => {
  expect(() => connect("a", { totalTimeout: -1 })).toThrow(/totalTimeout/)
  expect(() => connect("a", { concurrency: 0 })).toThrow(/concurrency/)
  expect(() => connect("a", { limits: { depth: 0 } })).toThrow(/depth/)
  expect(() => connect("a", { supervise: { healthCheck: -1 } })).toThrow(/healthCheck/)
  expect(() => connect("a", { revision: "2000-01-01" })).toThrow(/revision/)
  expect(() => connect("a", { servers: { b: { client: { maxRounds: 0 } } } })).toThrow(/maxRounds/)
})
