import { Client, Group, Subscriptions, Tools } from "@effective-mcp/client"
import { Peer } from "@effective-mcp/protocol"
import { Changes, Prompt, Resource, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Hub from "../src/Hub.ts"
import type { SessionLike } from "../src/Session.ts"
import { info } from "./scripted.ts"

const say = (whose: string) =>
  Tool.make("say", { input: { text: Schema.String }, run: ({ text }) => Effect.succeed(`${whose}: ${text}`) })

const server = (whose: string, more: ReadonlyArray<string> = []) =>
  Server.make(
    { name: whose, version: "1" },
    [
      say(whose),
      ...more.map((name) => Tool.make(name, { run: () => Effect.succeed(name) })),
      Prompt.make("greet", { run: () => Effect.succeed(`${whose} greets`) }),
      Resource.make("note://today", { read: Effect.succeed(`${whose}'s note`) })
    ],
    { pageSize: 2 }
  )

const note = Resource.make("note://today", { read: Effect.succeed("a note") })
const toolsOnly = Server.make({ name: "plain", version: "1" }, [say("plain")])

for (const era of ["modern", "legacy"] as const) {
  const group = Effect.gen(function* () {
    const reach = (host: typeof toolsOnly) => Client.connect(Peer.local(host), info, { era })
    return Group.make({
      ann: yield* reach(server("ann", ["say_say", "b", "c"])),
      plain: yield* reach(toolsOnly),
      bob: yield* reach(server("bob"))
    })
  })
  const names = (session: Group.Group) =>
    Effect.map(Stream.runCollect(Tools.all(session)), (tools) => tools.map(({ name }) => name))

  describe(`several servers as one, on ${era}`, () => {
    it.effect("list what each has, under names that no two share", () =>
      Effect.gen(function* () {
        const listed = yield* names(yield* group)
        expect(listed).toEqual(["ann_say", "ann_say_say", "ann_b", "ann_c", "plain_say", "bob_say"])
      })
    )
    it.effect("call the tool of whom the name says", () =>
      Effect.gen(function* () {
        const { request } = yield* group
        const call = (name: string) => request("tools/call", { name, arguments: { text: "hi" } })
        expect(yield* call("ann_say")).toMatchObject({ content: [{ text: "ann: hi" }] })
        expect(yield* call("bob_say")).toMatchObject({ content: [{ text: "bob: hi" }] })
        expect(yield* call("ann_say_say")).toMatchObject({ content: [{ text: "say_say" }] })
      })
    )
    it.effect("give prompts and resources of the same name, each its own", () =>
      Effect.gen(function* () {
        const { request } = yield* group
        expect(yield* request("prompts/get", { name: "bob_greet" })).toMatchObject({
          messages: [{ content: { text: "bob greets" } }]
        })
        const listed = yield* request("resources/list", {})
        expect(listed.resources.map(({ uri }) => uri)).toEqual(["ann+note://today"])
        expect(yield* request("resources/list", { cursor: listed.nextCursor ?? "" })).toMatchObject({
          resources: [{ uri: "bob+note://today" }]
        })
        expect(yield* request("resources/read", { uri: "bob+note://today" })).toMatchObject({
          contents: [{ uri: "bob+note://today", text: "bob's note" }]
        })
      })
    )
    it.effect("tell of their changes, each under its own name", () =>
      Effect.gen(function* () {
        const changes = Changes.make()
        const noted = Server.make({ name: "noted", version: "1" }, [note, say("noted")], { changes })
        const session = Group.make({
          ann: yield* Client.connect(Peer.local(noted), info, { era }),
          plain: yield* Client.connect(Peer.local(toolsOnly), info, { era })
        })
        const wish = { resourceSubscriptions: ["ann+note://today"] }
        const seen = yield* Subscriptions.listen(session, wish).pipe(
          Stream.tap((change) =>
            change._tag === "Listening" ? changes.publish(Changes.updated("note://today")) : Effect.void
          ),
          Stream.take(2),
          Stream.runCollect
        )
        expect(seen).toMatchObject([
          { _tag: "Listening", granted: wish, refused: {} },
          { _tag: "Updated", uri: "ann+note://today" }
        ])
      })
    )
    it.effect("know nothing of a name without a server, and send nothing", () =>
      Effect.gen(function* () {
        const { request } = yield* group
        for (const name of ["say", "eve_say", "ANN_say", ""]) {
          const error = yield* Effect.flip(request("tools/call", { name }))
          expect(error).toMatchObject({ _tag: "NotOffered", outcome: "NotSent" })
        }
        const error = yield* Effect.flip(request("resources/read", { uri: "note://today" }))
        expect(error).toMatchObject({ _tag: "NotOffered" })
        const cursor = yield* Effect.flip(request("tools/list", { cursor: "eve_=1" }))
        expect(cursor).toMatchObject({ _tag: "NotOffered" })
      })
    )
  })
}

describe("the keys of servers", () => {
  const none: SessionLike = {
    capabilities: {},
    request: () => Effect.never,
    watch: () => Effect.never,
    hub: Hub.make()
  }
  for (const key of ["", "a_b", "a+b", "1a", "a b", "x".repeat(33), "ä"]) {
    it(`are refused when they could be taken for another: ${JSON.stringify(key)}`, () => {
      expect(() => Group.make({ [key]: none })).toThrow("key")
    })
  }
  it("are refused when they differ in case alone", () => {
    expect(() => Group.make({ a: none, A: none })).toThrow("case")
  })
})

describe("who listens to several servers", () => {
  /** A server that says how many follow it. */
  const followed = () => {
    const hub = Hub.make()
    let count = 0
    const session: SessionLike = {
      capabilities: {},
      request: () => Effect.never,
      watch: () => Effect.never,
      hub: {
        ...hub,
        follow: (hear, onEnd) => {
          const stop = hub.follow(hear, onEnd)
          count++
          return () => {
            count--
            stop()
          }
        }
      }
    }
    return { hub, session, count: () => count }
  }
  it("has them followed from the first to the last, and again", () => {
    const { count, hub, session } = followed()
    const group = Group.make({ a: session, b: session }).hub
    expect(count()).toBe(0)
    for (let n = 0; n < 3; n++) {
      const heard: Array<unknown> = []
      const stops = [group.onHeard, group.listen, (hear: (one: unknown) => void) => group.follow(hear, () => {})].map(
        (listen) => listen((one) => heard.push(one))
      )
      expect(count()).toBe(2)
      hub.tell({ _tag: "Updated", uri: "x:1" })
      expect(heard).toHaveLength(6)
      stops[0]?.()
      stops[0]?.()
      stops[1]?.()
      expect(count()).toBe(2)
      stops[2]?.()
      expect(count()).toBe(0)
    }
  })
  it("leaves nothing with a server that many groups share", () => {
    const { count, session } = followed()
    for (let n = 0; n < 3_000; n++) Group.make({ a: session }).hub.onHeard(() => {})()
    expect(count()).toBe(0)
  })
  it("hears of their end when all have ended, also when that was before", () => {
    const [one, two] = [followed(), followed()]
    const group = Group.make({ one: one.session, two: two.session }).hub
    let ends = 0
    const stop = group.follow(
      () => {},
      () => ends++
    )
    one.hub.end()
    expect(ends).toBe(0)
    stop()
    two.hub.end()
    expect(ends).toBe(0)
    group.listen(
      () => {},
      () => ends++
    )
    expect(ends).toBe(1)
  })
})
