import { readFileSync } from "node:fs"
import { Client, Tools } from "@effective-mcp/client"
import { Peer } from "@effective-mcp/protocol"
import { Server, Tool } from "@effective-mcp/server"
import { pair, record, Transcript } from "@effective-mcp/testkit"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"

const text = (name: string): string => readFileSync(new URL(`transcripts/${name}.txt`, import.meta.url), "utf8")

const add = Tool.make("add", {
  description: "Adds two numbers",
  input: { a: Schema.Finite, b: Schema.Finite },
  run: ({ a, b }) => Effect.succeed(`${a + b}`)
})
const server = Server.make({ name: "calculator", version: "1.0.0" }, [add])
const info = { name: "me", version: "1.0.0" }

/** The far end of a pair whose near end is hosted. */
const hosted = Effect.gen(function* () {
  const [near, far] = yield* pair()
  yield* Effect.forkScoped(Effect.ignore(Peer.host(far, server)))
  return near
})

const eras = [
  ["legacy", "2025-11-25"],
  ["modern", "2026-07-28"]
] as const

for (const [era, revision] of eras) {
  describe(`a transcript of ${revision}`, () => {
    it.effect("is met by a server of ours", () =>
      Effect.gen(function* () {
        const captures = yield* Transcript.play(text(`server-${revision}`), yield* hosted)
        expect(captures.get("tool")).toBe("add")
      })
    )

    it.effect("is a server to a client of ours", () =>
      Effect.gen(function* () {
        const [near, far] = yield* pair()
        const playing = yield* Effect.forkScoped(
          Effect.ensuring(Transcript.play(text(`client-${revision}`), far), far.close)
        )
        const heard: Array<number> = []
        yield* Effect.scoped(
          Effect.gen(function* () {
            const client = yield* Client.connect(Peer.make(near), info, { era })
            expect(client.server).toStrictEqual({ name: "transcript", version: "1.0.0" })
            const onProgress = ({ progress }: { readonly progress: number }) => void heard.push(progress)
            const greeted = yield* Tools.call(client, "greet", { whom: "you" }, { onProgress })
            expect(Tools.text(greeted)).toBe("you")
          })
        )
        yield* near.close
        expect((yield* Fiber.join(playing)).get("whom")).toBe("you")
        expect(heard).toStrictEqual([1])
      })
    )

    it.effect("is what a recording of a client gives: it can be played again, and is the same each time", () =>
      Effect.gen(function* () {
        const session = Effect.scoped(
          Effect.gen(function* () {
            const [wire, recording] = record(yield* hosted)
            const client = yield* Client.connect(Peer.make(wire), info, { era })
            yield* Tools.call(client, "add", { a: 1, b: 2 })
            yield* Effect.flip(Tools.call(client, "nope"))
            yield* client.ping()
            return recording.text()
          })
        )
        const recorded = yield* session
        expect(yield* session).toBe(recorded)
        yield* Transcript.play(recorded, yield* hosted)
        const other = recorded.replace(`"text":"3"`, `"text":"4"`)
        const mismatch = yield* Effect.flip(Transcript.play(other, yield* hosted))
        expect(mismatch).toMatchObject({
          _tag: "TranscriptMismatch",
          difference: expect.stringContaining("content[0].text")
        })
      })
    )

    it.effect("is what a recording of a server gives, whatever ids its client takes", () =>
      Effect.gen(function* () {
        const [near, far] = yield* pair()
        const [wire, recording] = record(far)
        yield* Effect.forkScoped(Effect.ignore(Peer.host(wire, server)))
        yield* Transcript.play(text(`server-${revision}`), near)
        const [client, host] = yield* pair()
        const playing = yield* Effect.forkScoped(Transcript.play(recording.text(), host))
        // as text: what has an id of its own is no longer the same
        yield* Transcript.play(text(`server-${revision}`).replace(/"id":(\d)/g, '"id":"id $1"'), client)
        yield* Fiber.join(playing)
      })
    )
  })
}
