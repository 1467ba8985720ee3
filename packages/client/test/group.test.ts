import { Client } from "@effective-mcp/client"
import { Peer } from "@effective-mcp/protocol"
import { Prompt, Resource, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Group from "../src/Group.ts"
import type { Session } from "../src/Session.ts"
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
    Effect.gen(function* () {
      const all: Array<string> = []
      let cursor: string | undefined
      do {
        const page = yield* session.request("tools/list", cursor === undefined ? {} : { cursor })
        all.push(...page.tools.map(({ name }) => name))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return all
    })

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
  const none: Pick<Session, "request" | "capabilities"> = { capabilities: {}, request: () => Effect.never }
  for (const key of ["", "a_b", "a+b", "1a", "a b", "x".repeat(33), "ä"]) {
    it(`are refused when they could be taken for another: ${JSON.stringify(key)}`, () => {
      expect(() => Group.make({ [key]: none })).toThrow("key")
    })
  }
  it("are refused when they differ in case alone", () => {
    expect(() => Group.make({ a: none, A: none })).toThrow("case")
  })
})
