import { Answers, Client, Prompts, Resources, Tools } from "@effective-mcp/client"
import { connect as http } from "@effective-mcp/transport-http/client"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { context } from "./context.ts"

const info = { name: "effective-mcp-conformance-client", version: "1.0.0" }

/** A host that agrees to whatever it is asked. */
const answers = [
  Answers.form(() => Effect.succeed(Answers.accept())),
  Answers.url(() => Effect.succeed(Answers.accept())),
  Answers.sample(() =>
    Effect.succeed({ role: "assistant", model: "none", content: { type: "text", text: "A model would answer this." } })
  ),
  Answers.roots([{ uri: "file:///", name: "everything" }])
]

/** Speaks the revision that the scenario names. */
const connect = (url: string) =>
  Client.connect(http(url), info, { answers, era: context.revision === "2026-07-28" ? "modern" : "legacy" })

type Scenario = (url: string) => Effect.Effect<unknown, unknown, Scope.Scope>

const listTools: Scenario = (url) => Effect.flatMap(connect(url), (client) => Tools.list(client))

/** Calls one tool after the other. */
const calling =
  (...calls: ReadonlyArray<readonly [name: string, args?: object]>): Scenario =>
  (url) =>
    Effect.gen(function* () {
      const client = yield* connect(url)
      yield* Tools.list(client)
      yield* Effect.forEach(calls, ([name, args = {}]) => Tools.call(client, name, args))
    })

const confirming: Scenario = (url) =>
  Effect.gen(function* () {
    const agree = Answers.form(() => Effect.succeed(Answers.accept({ confirmed: true })))
    const client = yield* Client.connect(http(url), info, { answers: [agree] })
    for (const name of ["echo_state", "no_state", "unrelated", "no_result_type"]) {
      yield* Tools.call(client, `test_mrtr_${name}`, {})
    }
  })

const everyList: Scenario = (url) =>
  Effect.gen(function* () {
    const client = yield* connect(url)
    const { tools } = yield* Tools.list(client)
    yield* Effect.forEach(tools, (tool) => Tools.call(client, tool, {}))
    const { resources } = yield* Resources.list(client)
    yield* Effect.forEach(resources, ({ uri }) => Resources.read(client, uri))
    const { prompts } = yield* Prompts.list(client)
    yield* Effect.forEach(prompts, ({ name }) => Prompts.get(client, name))
  })

/** Calls whatever the client has let pass; what such a call gives back is not looked at. */
const survivors: Scenario = (url) =>
  Effect.gen(function* () {
    const client = yield* connect(url)
    const { tools } = yield* Tools.list(client)
    yield* Effect.forEach(tools, (tool) => Effect.ignore(Tools.call(client, tool, {})))
  })

const echoSchema: Scenario = (url) =>
  Effect.gen(function* () {
    const client = yield* connect(url)
    const { tools } = yield* Tools.list(client)
    const schema = tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema
    yield* Tools.call(client, "json_schema_echo", { schema })
  })

/** What the client does in each scenario of the official suite that is not about authorization. */
export const scenarios: { readonly [scenario: string]: Scenario } = {
  initialize: connect,
  tools_call: calling(["add_numbers", { a: 2, b: 3 }]),
  "elicitation-sep1034-client-defaults": calling(["test_client_elicitation_defaults"]),
  "sse-retry": calling(["test_reconnection"]),
  "request-metadata": connect,
  "json-schema-ref-no-deref": listTools,
  "json-schema-2020-12-preservation": echoSchema,
  "http-standard-headers": everyList,
  "http-custom-headers": calling(...(context.toolCalls ?? []).map((call) => [call.name, call.arguments] as const)),
  "http-invalid-tool-headers": survivors,
  "sep-2322-client-request-state": confirming
}
