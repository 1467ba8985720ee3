import {
  Answers,
  type CallError,
  Client,
  type ConnectError,
  type EndlessList,
  Extension,
  type Group,
  type InputRequired,
  type NoCommonRevision,
  type NotOffered,
  type Operation,
  type RequestOptions,
  Tools,
  type Withheld
} from "@effective-mcp/client"
import type {
  CallToolResult,
  Connection,
  Content,
  Era,
  Implementation,
  JsonRpc,
  ListToolsResult,
  Progress,
  Root,
  RpcError,
  Tool,
  TransportError,
  Violation
} from "@effective-mcp/protocol"
import { describe, expectTypeOf, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type * as SubscriptionRef from "effect/SubscriptionRef"
import { z } from "zod"

class Spawner extends Context.Service<Spawner, { readonly spawn: () => void }>()("test/Spawner") {}

declare const client: Client.Client
declare const transport: Effect.Effect<Connection, TransportError, Scope.Scope>
declare const needy: Effect.Effect<Connection, TransportError, Scope.Scope | Spawner>
declare const tool: Tool

const info = { name: "c", version: "1" }

/** Compiled, and never run. */
const unused = <Args extends ReadonlyArray<never>, A>(make: (...args: Args) => A) => make

describe("connecting", () => {
  it("gives a client, in a scope, with what its transport needs, and may fail in these ways", () => {
    const plain = unused(() => Client.connect(transport, info))
    expectTypeOf(plain).returns.toEqualTypeOf<Effect.Effect<Client.Client, ConnectError, Scope.Scope>>()
    const withSpawner = unused(() => Client.connect(needy, info, { era: "modern", timeout: "5 seconds" }))
    expectTypeOf(withSpawner).returns.toEqualTypeOf<Effect.Effect<Client.Client, ConnectError, Scope.Scope | Spawner>>()
    expectTypeOf<ConnectError>().toEqualTypeOf<TransportError | RpcError | Violation | NoCommonRevision>()
  })
  it("can be a layer, whose scope is its own", () => {
    const plain = unused(() => Client.layer(transport, info))
    expectTypeOf(plain).returns.toEqualTypeOf<Layer.Layer<Client.Current, ConnectError>>()
    const withSpawner = unused(() => Client.layer(needy, info))
    expectTypeOf(withSpawner).returns.toEqualTypeOf<Layer.Layer<Client.Current, ConnectError, Spawner>>()
  })
  it("takes an era that there is, and says who connects", () => {
    // @ts-expect-error there is no such era
    unused(() => Client.connect(transport, info, { era: "classic" }))
    // @ts-expect-error a version, too
    unused(() => Client.connect(transport, { name: "c" }))
    // @ts-expect-error a connection is not how to reach one
    unused((connection: Connection) => Client.connect(connection, info))
  })
  it("tells what the server is", () => {
    expectTypeOf<Client.Client["era"]>().toEqualTypeOf<Era>()
    expectTypeOf<Client.Client["revision"]>().toEqualTypeOf<string>()
    expectTypeOf<Client.Client["server"]>().toEqualTypeOf<Implementation | undefined>()
    expectTypeOf<Client.Client["instructions"]>().toEqualTypeOf<string | undefined>()
  })
})

describe("tools", () => {
  it("have results that need no checking", () => {
    expectTypeOf(unused(() => Tools.list(client))).returns.toEqualTypeOf<Effect.Effect<ListToolsResult, CallError>>()
    expectTypeOf(unused(() => Tools.call(client, "t"))).returns.toEqualTypeOf<
      Effect.Effect<CallToolResult, CallError | Tools.OutputError>
    >()
    expectTypeOf(unused(() => Tools.all(client))).returns.toEqualTypeOf<Stream.Stream<Tool, CallError | EndlessList>>()
    expectTypeOf<ListToolsResult["tools"]>().toEqualTypeOf<ReadonlyArray<Tool>>()
    expectTypeOf<CallToolResult["content"]>().toEqualTypeOf<ReadonlyArray<Content>>()
    expectTypeOf<CallToolResult["structuredContent"]>().toEqualTypeOf<unknown>()
  })
  it("are called by name, or as they were listed", () => {
    unused(() => Tools.call(client, "t", { a: 1 }, { timeout: 100, meta: { "com.example/k": 1 } }))
    unused(() => Tools.call(client, tool, { a: 1 }))
    // @ts-expect-error arguments are an object
    unused(() => Tools.call(client, "t", [1]))
    // @ts-expect-error a number names no tool
    unused(() => Tools.call(client, 5))
    // @ts-expect-error there is no such option
    unused(() => Tools.call(client, "t", {}, { timeoutMs: 5 }))
  })
  it("give what their caller's schema reads", () => {
    const fields = Schema.Struct({ at: Schema.FiniteFromString, note: Schema.optionalKey(Schema.String) })
    expectTypeOf(unused(() => Tools.callAs(client, "t", fields))).returns.toEqualTypeOf<
      Effect.Effect<{ readonly at: number; readonly note?: string }, CallError | Tools.OutputError>
    >()
    const object = z.object({ at: z.string().transform(Number), note: z.string().optional() })
    expectTypeOf(unused(() => Tools.callAs(client, tool, object, { a: 1 }))).returns.toEqualTypeOf<
      Effect.Effect<{ at: number; note?: string | undefined }, CallError | Tools.OutputError>
    >()
    const union = Schema.Union([Schema.String, Schema.Array(Schema.Finite)])
    expectTypeOf(unused(() => Tools.callAs(client, "t", union))).returns.toEqualTypeOf<
      Effect.Effect<string | ReadonlyArray<number>, CallError | Tools.OutputError>
    >()
    // @ts-expect-error a schema that needs a service cannot read here
    unused((needy: Schema.Codec<string, string, Spawner>) => Tools.callAs(client, "t", needy))
    // @ts-expect-error that is no schema
    unused(() => Tools.callAs(client, "t", { type: "object" }))
  })
  it("can be followed as they go", () => {
    expectTypeOf(unused(() => Tools.callWithProgress(client, "t", {}))).returns.toEqualTypeOf<
      Stream.Stream<Tools.Step, CallError | Tools.OutputError>
    >()
    // @ts-expect-error the stream has them
    unused(() => Tools.callWithProgress(client, "t", {}, { onProgress: () => {} }))
  })
  it("hear of progress with or without an effect", () => {
    expectTypeOf<NonNullable<RequestOptions["onProgress"]>>().parameter(0).toEqualTypeOf<Progress>()
    unused(() => Tools.call(client, "t", {}, { onProgress: ({ progress, total = 1 }) => void (progress / total) }))
    unused((log: (text: string) => Effect.Effect<void>) =>
      Tools.call(client, "t", {}, { onProgress: ({ message = "" }) => log(message) })
    )
    unused((failing: Effect.Effect<void, string>) =>
      // @ts-expect-error its failure would go nowhere
      Tools.call(client, "t", {}, { onProgress: () => failing })
    )
  })
})

describe("methods of extensions", () => {
  const now = { extension: "com.example/weather", method: "weather/now", params: { city: "Oslo" } }
  it("give a JSON object, or fail as any request does", () => {
    expectTypeOf(unused(() => Extension.call(client, now))).returns.toEqualTypeOf<
      Effect.Effect<JsonRpc.JsonObject, CallError>
    >()
    expectTypeOf(unused(() => Extension.settings(client, "com.example/weather"))).returns.toEqualTypeOf<
      JsonRpc.JsonObject | undefined
    >()
    unused(() => Extension.call(client.session, { extension: "com.example/weather", method: "weather/now" }))
    unused(() => Extension.call(client, now, { timeout: "1 second", onProgress: () => {}, meta: { k: 1 } }))
  })
  it("are called on one server, with an object and with options that mean something", () => {
    // @ts-expect-error several servers have no extensions of their own
    unused((group: Group.Group) => Extension.call(group, now))
    // @ts-expect-error params are an object
    unused(() => Extension.call(client, { ...now, params: [1] }))
    // @ts-expect-error they are never kept
    unused(() => Extension.call(client, now, { cache: "reload" }))
    // @ts-expect-error nobody answers questions in their results
    unused(() => Extension.call(client, now, { input: "manual" }))
    // @ts-expect-error an extension is named
    unused(() => Extension.call(client, { method: "weather/now" }))
  })
  it("are declared by settings that are an object", () => {
    unused(() => Client.connect(transport, info, { extensions: { "com.example/weather": { units: ["celsius"] } } }))
    // @ts-expect-error settings are an object
    unused(() => Client.connect(transport, info, { extensions: { "com.example/weather": true } }))
  })
  it("are told apart by middleware", () => {
    unused((operation: Operation) => {
      if (operation.extension !== undefined) {
        expectTypeOf(operation.params).toEqualTypeOf<JsonRpc.JsonObject>()
        return ""
      }
      // @ts-expect-error there is no such method
      if (operation.method === "extension/call") return ""
      return operation.method === "tools/call" ? operation.params.name : ""
    })
  })
})

describe("errors", () => {
  it("of a request each say what it may have done", () => {
    expectTypeOf<CallError>().toEqualTypeOf<
      TransportError | RpcError | Violation | NotOffered | InputRequired | Withheld
    >()
    expectTypeOf<CallError["outcome"]>().toEqualTypeOf<"NotSent" | "Rejected" | "Unknown">()
    expectTypeOf<NotOffered["outcome"]>().toEqualTypeOf<"NotSent">()
  })
  it("are told apart by their tags", () => {
    expectTypeOf<CallError["_tag"]>().toEqualTypeOf<
      "TransportError" | "RpcError" | "Violation" | "NotOffered" | "InputRequired" | "Withheld"
    >()
    expectTypeOf<ConnectError["_tag"]>().toEqualTypeOf<
      "TransportError" | "RpcError" | "Violation" | "NoCommonRevision"
    >()
    expectTypeOf<TransportError["reason"]["_tag"]>().toEqualTypeOf<
      | "Unsendable"
      | "Unreachable"
      | "Closed"
      | "Malformed"
      | "TooLarge"
      | "Overflow"
      | "TimedOut"
      | "HttpStatus"
      | "Redirected"
      | "SessionExpired"
    >()
    expectTypeOf<EndlessList["reason"]>().toEqualTypeOf<"RepeatedCursor" | "TooManyPages">()
  })
})

describe("answers", () => {
  it("give back what their question asks for, or fail in any way", () => {
    unused(() =>
      Answers.form(({ requestedSchema }) => Effect.succeed(Answers.accept({ n: Object.keys(requestedSchema).length })))
    )
    unused((failing: Effect.Effect<never, Spawner>) => Answers.sample(() => failing))
    unused((ref: SubscriptionRef.SubscriptionRef<Array<Root>>) => Answers.roots(ref))
    unused(() => Answers.roots(({ call }) => Effect.succeed(call === undefined ? [] : [{ uri: "file:///a" }])))
    // @ts-expect-error a nested value fits no form
    unused(() => Answers.form(() => Effect.succeed(Answers.accept({ a: { b: 1 } }))))
    // @ts-expect-error there is no such action
    unused(() => Answers.url(() => Effect.succeed({ action: "maybe" })))
    // @ts-expect-error a model says which it is
    unused(() => Answers.sample(() => Effect.succeed({ role: "assistant", content: { type: "text", text: "" } })))
    // @ts-expect-error what they need is provided to them
    unused((needy: Effect.Effect<Answers.Reply, never, Spawner>) => Answers.form(() => needy))
  })
  it("that are missing leave behind all that is needed to go on", () => {
    expectTypeOf<InputRequired["reason"]["_tag"]>().toEqualTypeOf<
      "Manual" | "Unanswered" | "TooManyRounds" | "WaitedTooLong" | "GivenUp"
    >()
    expectTypeOf<InputRequired["round"]["method"]>().toEqualTypeOf<"tools/call" | "resources/read" | "prompts/get">()
    expectTypeOf<Tools.OutputError["reason"]["_tag"]>().toEqualTypeOf<"Missing" | "Unfit" | "Unexpected" | "Failed">()
  })
})
