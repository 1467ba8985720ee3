import { expect, it } from "@effect/vitest"
import { Client as ClientV2 } from "@modelcontextprotocol/client"
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import {
  LoggingMessageNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import { describe } from "vitest"
import { ask } from "../peers/Peer.ts"
import { notebookServer } from "../peers/Program.ts"

/** What either official client can ask a notebook. */
interface Reader {
  readonly listResources: () => Promise<{ readonly resources: ReadonlyArray<{ readonly uri: string }> }>
  readonly listResourceTemplates: () => Promise<object>
  readonly readResource: (params: { readonly uri: string }) => Promise<object>
  readonly listPrompts: () => Promise<object>
  readonly getPrompt: (params: {
    readonly name: string
    readonly arguments: { readonly name: string }
  }) => Promise<object>
  readonly complete: (params: {
    readonly ref:
      | { readonly type: "ref/prompt"; readonly name: string }
      | { readonly type: "ref/resource"; readonly uri: string }
    readonly argument: { readonly name: string; readonly value: string }
  }) => Promise<object>
}

const params = () => ({ command: notebookServer.command, args: [...notebookServer.args], stderr: "ignore" as const })

/** What the other side has said unasked. */
class Heard {
  readonly all: Array<unknown> = []
  private check = (): void => {}
  readonly hear = (said: unknown): void => {
    this.all.push(said)
    this.check()
  }
  /** All of it, once there are so many. */
  readonly until = (count: number): Effect.Effect<ReadonlyArray<unknown>, unknown> =>
    Effect.callback<ReadonlyArray<unknown>>((resume) => {
      this.check = () => {
        if (this.all.length >= count) resume(Effect.succeed([...this.all]))
      }
      this.check()
    }).pipe(Effect.timeout("10 seconds"))
}

const reads = (client: Reader) =>
  Effect.gen(function* () {
    expect(yield* ask(() => client.listResources())).toMatchObject({
      resources: [{ uri: "note:///first", name: "first", mimeType: "text/plain" }]
    })
    expect(yield* ask(() => client.listResourceTemplates())).toMatchObject({
      resourceTemplates: [{ uriTemplate: "note:///{name}" }]
    })
    expect(yield* ask(() => client.readResource({ uri: "note:///first" }))).toMatchObject({
      contents: [{ uri: "note:///first", mimeType: "text/plain", text: "Hello" }]
    })
    const missing = yield* Effect.flip(ask(() => client.readResource({ uri: "note:///nothing" })))
    expect(missing).toMatchObject({ message: expect.stringContaining("Resource not found") })
    expect(yield* ask(() => client.listPrompts())).toMatchObject({
      prompts: [{ name: "summarize", arguments: [{ name: "name", description: "Which note", required: true }] }]
    })
    expect(yield* ask(() => client.getPrompt({ name: "summarize", arguments: { name: "first" } }))).toMatchObject({
      messages: [{ role: "user" }, { content: { type: "resource", resource: { text: "Hello" } } }]
    })
    for (const ref of [
      { type: "ref/prompt", name: "summarize" },
      { type: "ref/resource", uri: "note:///{name}" }
    ] as const) {
      const completed = yield* ask(() => client.complete({ ref, argument: { name: "name", value: "fi" } }))
      expect(completed).toMatchObject({ completion: { values: ["first"], total: 1, hasMore: false } })
    }
  })

describe("the official v1 client and a notebook", () => {
  it.live("read, complete, subscribe, hear of changes and logs", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const client = new ClientV1({ name: "v1", version: "1" })
        yield* Effect.addFinalizer(() => Effect.ignore(ask(() => client.close())))
        const [updated, lists, logs] = [new Heard(), new Heard(), new Heard()]
        client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => updated.hear(params.uri))
        client.setNotificationHandler(ResourceListChangedNotificationSchema, ({ method }) => lists.hear(method))
        client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.hear(params.data))
        yield* ask(() => client.connect(new StdioV1(params())))
        yield* reads(client)
        yield* ask(() => client.subscribeResource({ uri: "note:///first" }))
        yield* ask(() => client.callTool({ name: "write", arguments: { name: "first", text: "Changed" } }))
        yield* ask(() => client.callTool({ name: "write", arguments: { name: "second", text: "New" } }))
        expect(yield* lists.until(1)).toHaveLength(1)
        expect(yield* updated.until(1)).toEqual(["note:///first"])
        expect(yield* logs.until(2)).toEqual([{ written: "first" }, { written: "second" }])
        yield* ask(() => client.setLoggingLevel("error"))
        yield* ask(() => client.unsubscribeResource({ uri: "note:///first" }))
        yield* ask(() => client.callTool({ name: "write", arguments: { name: "first", text: "Again" } }))
        expect((yield* ask(() => client.listResources())).resources).toHaveLength(2)
        expect([updated.all.length, logs.all.length]).toEqual([1, 2])
      })
    )
  )
})

describe("the official v2 client and a notebook", () => {
  for (const mode of ["legacy", "modern"] as const) {
    it.live(`read and complete: ${mode}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const options = mode === "modern" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}
          const client = new ClientV2({ name: "v2", version: "1" }, options)
          yield* Effect.addFinalizer(() => Effect.ignore(ask(() => client.close())))
          yield* ask(() => client.connect(new StdioV2(params())))
          yield* reads(client)
        })
      )
    )
  }
  it.live("listen, hear of changes, and are told when it is over", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const client = new ClientV2(
          { name: "v2", version: "1" },
          { versionNegotiation: { mode: { pin: "2026-07-28" } } }
        )
        yield* Effect.addFinalizer(() => Effect.ignore(ask(() => client.close())))
        const [updated, lists] = [new Heard(), new Heard()]
        client.setNotificationHandler("notifications/resources/updated", ({ params }) => updated.hear(params.uri))
        client.setNotificationHandler("notifications/resources/list_changed", ({ method }) => lists.hear(method))
        yield* ask(() => client.connect(new StdioV2(params())))
        const wish = {
          resourcesListChanged: true,
          toolsListChanged: true,
          resourceSubscriptions: ["note:///first", "other:///no"]
        }
        const subscription = yield* ask(() => client.listen(wish))
        expect(subscription.honoredFilter).toEqual({ ...wish, resourceSubscriptions: ["note:///first"] })
        yield* ask(() => client.callTool({ name: "write", arguments: { name: "first", text: "Changed" } }))
        yield* ask(() => client.callTool({ name: "write", arguments: { name: "second", text: "New" } }))
        expect(yield* updated.until(1)).toEqual(["note:///first"])
        expect(yield* lists.until(1)).toHaveLength(1)
        yield* ask(() => client.callTool({ name: "close", arguments: {} }))
        expect(yield* Effect.promise(() => subscription.closed)).toBe("graceful")
      })
    )
  )
})
