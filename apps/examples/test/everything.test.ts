import { Answers, Client, Completion, Prompts, Resources, Tools } from "@effective-mcp/client"
import { spawn } from "@effective-mcp/transport-stdio"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { everythingServer } from "../peers/Program.ts"

const reach = (answers: ReadonlyArray<Answers.Answer> = []) =>
  Client.connect(spawn(everythingServer), { name: "c", version: "1" }, { answers })

/** The reference server of the protocol's own project, built on the official SDK. */
describe("the reference server", () => {
  it.live("is used by our client: tools, resources, prompts, completion", () =>
    Effect.gen(function* () {
      const client = yield* reach()
      const tools = yield* Stream.runCollect(Tools.all(client))
      const structured = tools.find(({ name }) => name === "get-structured-content")!
      const Weather = Schema.Struct({ temperature: Schema.Finite, conditions: Schema.String })
      const { temperature } = yield* Tools.callAs(client, structured, Weather, { location: "Chicago" })
      expect(temperature).toEqual(expect.any(Number))

      const operation = { duration: 0.2, steps: 2 }
      const steps = yield* Stream.runCollect(
        Tools.callWithProgress(client, "trigger-long-running-operation", operation)
      )
      expect(steps.map(({ _tag }) => _tag)).toEqual(["Progress", "Progress", "Result"])

      const resources = yield* Stream.runCollect(Resources.all(client))
      expect(Resources.text(yield* Resources.read(client, resources[0]!))).not.toBe("")
      const templates = yield* Stream.runCollect(Resources.allTemplates(client))
      expect(templates.map(({ uriTemplate }) => uriTemplate)).toContain("demo://resource/dynamic/text/{resourceId}")
      expect(Resources.text(yield* Resources.read(client, "demo://resource/dynamic/text/3"))).toContain("3")
      expect((yield* Effect.flip(Resources.read(client, "demo://nowhere")))._tag).toBe("ResourceNotFound")

      const prompts = yield* Stream.runCollect(Prompts.all(client))
      const completable = prompts.find(({ name }) => name === "completable-prompt")!
      const { values } = yield* Completion.complete(client, completable, { name: "department", value: "E" })
      expect(values).toEqual(["Engineering"])
      const { messages } = yield* Prompts.get(client, "args-prompt", { city: "Bern" })
      expect(JSON.stringify(messages)).toContain("Bern")
    })
  )
  it.live("is answered by our client: a form, a page, a model, roots", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const client = yield* reach([
        Answers.form(() => Effect.succeed(Answers.accept({ name: "Ada" }))),
        Answers.sample(({ maxTokens }) =>
          Effect.succeed({ role: "assistant", content: { type: "text", text: `in ${maxTokens}` }, model: "m" })
        ),
        Answers.url(({ url }) =>
          Effect.as(
            Effect.sync(() => seen.push(url)),
            Answers.accept()
          )
        ),
        Answers.roots([{ uri: "file:///garden" }])
      ])
      const call = (tool: string, args: object) => Effect.map(Tools.call(client, tool, args), Tools.text)
      expect(yield* call("get-roots-list", {})).toContain("file:///garden")
      const form = yield* call("trigger-elicitation-request", {})
      expect(form).toContain("Ada")
      expect(form).toContain("It was a dark and stormy night.")
      expect(yield* call("trigger-sampling-request", { prompt: "hi", maxTokens: 7 })).toContain("in 7")
      const url = "https://example.com/page?a=b"
      expect(yield* call("trigger-url-elicitation", { url })).not.toContain("error")
      const refused = yield* Effect.flip(Tools.call(client, "trigger-url-elicitation", { url, errorPath: true }))
      if (refused._tag !== "RpcError") return expect.unreachable()
      expect(yield* Answers.visit(client, refused)).toBe(true)
      // the page of the error is the server's own choice
      expect(seen).toEqual([url, expect.stringMatching(/^https:/)])
    })
  )
})
