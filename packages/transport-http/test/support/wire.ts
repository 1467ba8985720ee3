import { type ClientRequest, type IncomingMessage, request as open } from "node:http"
import type { JsonRpc, PrincipalService } from "@effective-mcp/protocol"
import { JsonRpc as Rpc, Meta } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type HttpServer, serve, type ServeOptions } from "../../src/server/index.ts"

export type Headers = { readonly [name: string]: string | ReadonlyArray<string> | undefined }

export interface Sent {
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string | Uint8Array
}

/** One answer, as it comes. */
export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  /** All that is still to come, as text. */
  readonly text: Effect.Effect<string>
  /** The next event, its fields by name, past any comments; undefined at the end. */
  readonly event: Effect.Effect<Fields | undefined>
  /** Goes away in the middle. */
  readonly leave: Effect.Effect<void>
}

export type Fields = { readonly [field: string]: string }

const parse = (block: string): Fields => {
  const fields: Record<string, string> = {}
  for (const line of block.split("\n")) {
    const at = line.indexOf(":")
    fields[at < 0 ? line : line.slice(0, at)] = line.slice(at + 1).replace(/^ /, "")
  }
  return fields
}

const answerOf = (request: ClientRequest, response: IncomingMessage): Answer => {
  response.setEncoding("utf8")
  let pending = ""
  const chunks = response[Symbol.asyncIterator]()
  const more = async (): Promise<boolean> => {
    try {
      const { done, value } = await chunks.next()
      if (done === true) return false
      pending += value
      return true
    } catch {
      return false
    }
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) headers[name] = String(value)
  return {
    status: response.statusCode ?? 0,
    headers,
    text: Effect.promise(async () => {
      while (await more());
      return pending
    }),
    event: Effect.promise(async () => {
      for (;;) {
        const end = pending.indexOf("\n\n")
        if (end >= 0) {
          const block = pending.slice(0, end)
          pending = pending.slice(end + 2)
          if (!block.startsWith(":")) return parse(block)
          continue
        }
        if (!(await more())) return undefined
      }
    }),
    leave: Effect.sync(() => void request.destroy())
  }
}

const given = (headers: Headers): Record<string, string | Array<string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, typeof value === "string" ? value : [...value]]]
    })
  )

/** Sends one request on a connection of its own; its answer has a head when this completes. */
export const send = (
  url: string,
  { body, headers = {}, method = "POST" }: Sent
): Effect.Effect<Answer, Error, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => open(url, { method, agent: false, headers: given(headers) })),
      (request) => Effect.sync(() => void request.destroy())
    ),
    (request) =>
      Effect.callback<Answer, Error>((resume) => {
        request.on("response", (response) => resume(Effect.succeed(answerOf(request, response))))
        request.on("error", (error) => resume(Effect.fail(error)))
        request.end(body)
      })
  )

export const JSON_HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" }

/** Posts JSON as a client does. */
export const post = (url: string, message: unknown, headers: Headers = {}) =>
  send(url, {
    headers: { ...JSON_HEADERS, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message)
  })

/** Posts and reads all of the answer, a JSON text. */
export const ask = (url: string, message: unknown, headers: Headers = {}) =>
  Effect.scoped(
    Effect.gen(function* () {
      const answer = yield* post(url, message, headers)
      const text = yield* answer.text
      return { ...answer, body: text === "" ? undefined : JSON.parse(text) }
    })
  )

export const MODERN = "2026-07-28"

export const modernMeta = { [Meta.PROTOCOL_VERSION]: MODERN, [Meta.CLIENT_CAPABILITIES]: {} }

/** A modern request, and the headers that go with it. */
export const modern = (
  id: JsonRpc.RequestId,
  method: string,
  params: JsonRpc.JsonObject = {},
  headers: Headers = {}
): readonly [JsonRpc.Request, Headers] => {
  const name = params.name ?? params.uri
  return [
    Rpc.request(id, method, { ...params, _meta: { ...modernMeta, ...Meta.of(params) } }),
    {
      "mcp-protocol-version": MODERN,
      "mcp-method": method,
      ...(typeof name === "string" && /^(tools\/call|prompts\/get|resources\/read)$/.test(method)
        ? { "mcp-name": name }
        : {}),
      ...headers
    }
  ]
}

export const initialize = (version = "2025-11-25"): JsonRpc.Request =>
  Rpc.request("init", "initialize", {
    protocolVersion: version,
    capabilities: {},
    clientInfo: { name: "client of the tests", version: "1" }
  })

/** Opens a session; the headers that go with every later request of it. */
export const session = (url: string, version = "2025-11-25", headers: Headers = {}) =>
  Effect.gen(function* () {
    const opened = yield* ask(url, initialize(version), headers)
    const id = opened.headers["mcp-session-id"]
    if (id === undefined) return yield* Effect.die(new Error(`no session: ${opened.status}`))
    return { "mcp-session-id": id, ...headers }
  })

export const get = (url: string, headers: Headers = {}) =>
  send(url, { method: "GET", headers: { accept: "text/event-stream", ...headers } })

/** Serves a host for one test, on the server of the runtime. */
export const served = <R, P extends PrincipalService = never, RH = never>(
  host: HttpServer.Hosting<R, RH>,
  options: ServeOptions<P> = {}
) => Effect.map(serve(host, options), ({ url }) => url)
