import { join } from "node:path"
import { server, tool } from "@effective-mcp/server/promise"
import { serve } from "@effective-mcp/transport-http/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { z } from "zod"
import { connect, ConnectTargetError, Restart, text } from "../src/promise.ts"
import { folder, words } from "./support/programs.ts"
import { named } from "./support/targets.ts"
import { listening } from "./support/web.ts"

describe("without Effect", () => {
  it("a server of async functions is a target like any other", async () => {
    const add = tool("add", { input: z.object({ a: z.number(), b: z.number() }), run: async ({ a, b }) => `${a + b}` })
    await using client = await connect(server({ name: "here", version: "1.0.0" }, [add]))
    expect(text(await client.callTool("add", { a: 19, b: 23 }))).toBe("42")
  })
  it("a target is a promise of a client, which closes when it goes out of use", async () => {
    const target = named("here")
    let seen
    {
      await using client = await connect(target, { client: { answers: { roots: [] } } })
      seen = client
      const tools: Array<string> = []
      for await (const { name } of client.tools()) tools.push(name)
      expect(tools).toEqual(["here"])
      expect(client.connected).toBe(true)
    }
    expect(seen.connected).toBe(false)
  })
  it.live("servers of a configuration are told apart, and those that failed are told of", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { url } = yield* serve(named("web"))
        const config = { mcpServers: { "My Web": { url: String(url) }, none: { command: "no-such-program-xyz" } } }
        const options = { partial: true, servers: { none: { client: { timeout: 5_000 } } } }
        yield* Effect.promise(async () => {
          await using client = await connect(config, options)
          expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["My-Web_web"])
          expect(client.servers).toEqual([{ key: "My-Web", name: "My Web" }])
          expect(client.failures.map(({ name }) => name)).toEqual(["none"])
        })
      })
    )
  )
  it.live("what becomes of a program is told to functions that are async", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const diary = join(yield* folder, "diary")
        yield* Effect.promise(async () => {
          const told: Array<string> = []
          let end = (): void => {}
          const isOver = new Promise<void>((resolve) => (end = resolve))
          await using client = await connect(words("odd", "crashes", diary), {
            era: "legacy",
            restart: Restart.eager(0, {
              onGone: async ({ reason }) => {
                told.push(reason._tag)
                end()
              }
            }),
            supervise: { onCrash: async ({ _tag }) => void told.push(_tag) }
          })
          await expect(client.listTools()).rejects.toThrow()
          await isOver
          expect(told).toEqual(["Exited", "Closed"])
        })
      })
    )
  )
  it("what fails rejects with the same error", async () => {
    const error: unknown = await connect("no-such-program-xyz").catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConnectTargetError)
    expect(error).toMatchObject({ reason: { _tag: "Unreachable", code: "ENOENT" } })
  })
  it.live("it can be given up", () =>
    Effect.scoped(
      Effect.gen(function* () {
        let asked = (): void => {}
        const isAsked = new Promise<void>((resolve) => (asked = resolve))
        const origin = yield* listening(() => asked())
        yield* Effect.promise(async () => {
          const giveUp = new AbortController()
          const connecting = connect(origin, { signal: giveUp.signal })
          await isAsked
          giveUp.abort(new Error("enough"))
          await expect(connecting).rejects.toThrow("enough")
        })
      })
    )
  )
})
