/** The server that comes with Effect: `effectAi.ts stdio` or `effectAi.ts http`, each in both eras. */
import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpSchema from "effect/ai/McpSchema"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { makeCancelled, matching, offer } from "./Offer.ts"

const { bytes, form, greeting, notes, page, template, tools } = offer
const cancelled = makeCancelled()
const said = (text: string) => new McpSchema.CallToolResult({ content: [{ type: "text", text }] })

/** Tools as that SDK would have them written; what they give is always structured. */
const toolkit = Toolkit.make(
  Tool.make(tools.add, {
    parameters: Schema.Struct({ a: Schema.Finite, b: Schema.Finite }),
    success: Schema.Struct({ sum: Schema.Finite })
  }),
  Tool.make(tools.fail, { success: Schema.String, failure: Schema.String })
)
const handlers = toolkit.toLayer({
  add: ({ a, b }) => Effect.succeed({ sum: a + b }),
  fail: () => Effect.fail(offer.failure)
})

type Args = { readonly [name: string]: unknown }
type Said = McpSchema.CallToolResult | McpSchema.InputRequired
type Handle = (args: Args) => Effect.Effect<Said, never, McpSchema.McpRequestContext>

const readElicit = Schema.decodeUnknownEffect(McpSchema.Elicit.payloadSchema)
const readSampling = Schema.decodeUnknownEffect(McpSchema.CreateMessage.payloadSchema)

/** The same thing asked in either era: as a request of a legacy session, or as the result of a modern call. */
const ask = (request: McpSchema.McpInputRequest, toText: (answer: Args) => string) =>
  Effect.gen(function* () {
    const { inputResponses } = yield* McpSchema.McpRequestContext
    const legacy = yield* Effect.serviceOption(McpSchema.McpServerClient)
    const answer = inputResponses?.it
    if (answer !== undefined) return said(toText(answer))
    if (Option.isNone(legacy)) return new McpSchema.InputRequired({ inputRequests: { it: request } })
    const client = yield* legacy.value.getClient
    const { method, params } = request
    if (method === "roots/list") return said(toText({ ...(yield* client.listRoots()) }))
    if (method === "elicitation/create") {
      return said(toText({ ...(yield* client.elicit(yield* readElicit(params))) }))
    }
    return said(toText({ ...(yield* client.createMessage(yield* readSampling(params))) }))
  }).pipe(Effect.scoped, Effect.orDie)

const textIn = (value: unknown, name: string): string => {
  const inside: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return String(inside)
}

const questions: ReadonlyArray<readonly [string, Handle]> = [
  [
    tools.form,
    () => {
      const { field, message } = form
      const requestedSchema = { type: "object", properties: { [field]: { type: "string" } }, required: [field] }
      return ask(
        { method: "elicitation/create", params: { mode: "form", message, requestedSchema } },
        ({ action, content }) => `${String(action)} ${textIn(content, field)}`
      )
    }
  ],
  [
    tools.page,
    () => {
      const { id: elicitationId, message, url } = page
      const params = { mode: "url", message, url, elicitationId }
      return ask({ method: "elicitation/create", params }, ({ action }) => String(action))
    }
  ],
  [
    tools.model,
    () => {
      const messages = [{ role: "user", content: { type: "text", text: offer.prompt } }]
      return ask({ method: "sampling/createMessage", params: { messages, maxTokens: 7 } }, ({ content }) =>
        textIn(content, "text")
      )
    }
  ],
  [
    tools.where,
    () =>
      ask({ method: "roots/list" }, ({ roots }) =>
        Array.isArray(roots) ? roots.map((root) => textIn(root, "uri")).join(" ") : "none"
      )
  ]
]

const registerTools = Effect.gen(function* () {
  const server = yield* McpServer.McpServer
  const { notifications } = server
  const add = (name: string, handle: Handle) =>
    server.addTool({
      tool: new McpSchema.Tool({ name, inputSchema: { type: "object" } }),
      annotations: Context.empty(),
      handle: (args: Args | undefined) => handle(args ?? {})
    })
  const report = (progress: number, total: number) =>
    Effect.gen(function* () {
      const { requestMetadata } = yield* McpSchema.McpRequestContext
      const token: unknown = requestMetadata?.progressToken
      const progressToken = typeof token === "number" ? token : String(token)
      yield* notifications["notifications/progress"]({ progressToken, progress, total, message: `step ${progress}` })
    }).pipe(Effect.orDie)
  for (const [name, handle] of questions) yield* add(name, handle)
  yield* add(tools.echo, ({ text }) => Effect.succeed(said(String(text))))
  yield* add(tools.count, ({ count }) =>
    Effect.gen(function* () {
      for (let progress = 1; progress <= Number(count); progress++) yield* report(progress, Number(count))
      return said(`counted to ${String(count)}`)
    })
  )
  yield* add(tools.wait, ({ key }) =>
    Effect.andThen(report(1, 2), Effect.never).pipe(
      Effect.onInterrupt(() => Effect.sync(() => cancelled.tell(String(key))))
    )
  )
  yield* add(tools.stopped, ({ key }) =>
    Effect.as(
      Effect.promise(() => cancelled.heard(String(key))),
      said("it was cancelled")
    )
  )
  yield* add(tools.log, ({ text }) =>
    Effect.gen(function* () {
      const log = notifications["notifications/message"]
      yield* Effect.orDie(log({ level: "debug", data: text }))
      yield* Effect.orDie(log({ level: "notice", logger: "peer", data: text }))
      return said("logged")
    })
  )
  yield* add(tools.grow, ({ name }) =>
    Effect.as(
      add(String(name), () => Effect.succeed(said(String(name)))),
      said("grown")
    )
  )
  yield* add(tools.touch, () =>
    Effect.as(Effect.orDie(notifications["notifications/resources/updated"]({ uri: notes[0]!.uri })), said("touched"))
  )
})

const id = McpSchema.param("id", Schema.String)

const registrations = Layer.mergeAll(
  McpServer.toolkit(toolkit).pipe(Layer.provide(handlers)),
  Layer.effectDiscard(registerTools),
  ...notes.map(({ name, text, uri }) =>
    McpServer.resource({ name, uri, mimeType: "text/plain", content: Effect.succeed(text) })
  ),
  McpServer.resource({
    name: bytes.name,
    uri: bytes.uri,
    content: Effect.succeed(Uint8Array.from(atob(bytes.blob), (char) => char.charCodeAt(0)))
  }),
  McpServer.resource`item://${id}`({
    name: template.name,
    completion: { id: (typed) => Effect.succeed(matching(template.ids, typed)) },
    content: (_uri, given) => Effect.succeed(template.text(given))
  }),
  McpServer.prompt({
    name: greeting.name,
    parameters: { name: Schema.String },
    completion: { name: (typed) => Effect.succeed(matching(greeting.names, typed)) },
    content: ({ name }) => Effect.succeed(greeting.text(name))
  })
)

const common = {
  ...offer.info,
  instructions: offer.instructions,
  registrations,
  protocols: [
    McpProtocol.v2024_11_05,
    McpProtocol.v2025_03_26,
    McpProtocol.v2025_06_18,
    McpProtocol.v2025_11_25,
    McpProtocol.v2026_07_28
  ]
} as const

const overStdio = Layer.provide(McpServer.layerStdio(common), [NodeStdio.layer, Logger.layer([])])

const served = HttpRouter.serve(McpServer.layerHttp({ ...common, path: "/mcp", allowSessionTermination: true }), {
  disableLogger: true,
  disableListenLog: true
})
const tellWhere = HttpServer.HttpServer.useSync(({ address }) => {
  if ("port" in address) console.log(`http://127.0.0.1:${address.port}/mcp`)
})
const overHttp = Layer.effectDiscard(tellWhere).pipe(
  Layer.provideMerge(served),
  Layer.provide(NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" }))
)

NodeRuntime.runMain(Layer.launch(process.argv[2] === "stdio" ? overStdio : overHttp))
