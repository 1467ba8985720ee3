import { deepStrictEqual, ok } from "node:assert/strict"
import { Answers, Completion, Logging, Prompts, Resources, Subscriptions, Tools } from "@effective-mcp/client"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { Visit } from "./Visit.ts"
import type { Asking } from "./Words.ts"

type Step = (visit: Visit) => Effect.Effect<void, unknown>

const call = ({ client }: Visit, { args = {}, tool }: Asking) => Tools.call(client, tool, args)

/** Calls, and holds that the answer is the one. */
const asks = (visit: Visit, asking: Asking) =>
  Effect.map(call(visit, asking), (result) => {
    const text = Tools.text(result)
    ok(text.includes(asking.text ?? ""), `${asking.tool} says ${text.slice(0, 300)}`)
    return result
  })

const namesOf = ({ client }: Visit) =>
  Effect.map(Stream.runCollect(Tools.all(client)), (tools) => tools.map(({ name }) => name))

/** Runs what makes the server tell something, once that is listened for; gives what is told. */
const hears = <A, E>(told: Stream.Stream<A, E>, telling: Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    const hearing = yield* Effect.forkChild(Stream.runHead(told), { startImmediately: true })
    yield* telling
    return Option.getOrThrow(yield* Fiber.join(hearing))
  })

/** The same for changes, which the server has to be asked for first; `granted` is what it takes. */
const changes = (
  visit: Visit,
  wish: Parameters<typeof Subscriptions.listen>[1],
  telling: Effect.Effect<unknown, unknown>
) =>
  Effect.gen(function* () {
    const listening = yield* Deferred.make<object>()
    const told = Subscriptions.listen(visit.client, wish).pipe(
      Stream.tap((change) => (change._tag === "Listening" ? Deferred.succeed(listening, change.granted) : Effect.void)),
      Stream.filter(({ _tag }) => _tag !== "Listening")
    )
    const change = yield* hears(told, Effect.andThen(Deferred.await(listening), telling))
    return { granted: yield* Deferred.await(listening), change }
  })

/** What our client does with a server, a feature each; a server that does otherwise, or a client, fails. */
export const steps = {
  introduction: ({ client, words }) =>
    Effect.gen(function* () {
      deepStrictEqual(client.server?.name, words.server)
      ok(client.instructions?.toLowerCase().includes(words.instructions.toLowerCase()))
      yield* client.ping()
      yield* client.connect
    }),
  tools: (visit) =>
    Effect.gen(function* () {
      const text = `"quotes", line\nbreaks, \u2028, 世界 🌍, ${"x".repeat(100_000)}`
      const echo = visit.words.echo(text)
      ok((yield* namesOf(visit)).includes(echo.tool))
      yield* asks(visit, echo)
    }),
  "many calls at once": (visit) =>
    Effect.forEach(
      Array.from({ length: 20 }, (_, n) => `number ${n}.`),
      (text) => asks(visit, visit.words.echo(text)),
      {
        concurrency: "unbounded",
        discard: true
      }
    ),
  "structured output": (visit) =>
    Effect.gen(function* () {
      const { output } = visit.words
      const tools = yield* Stream.runCollect(Tools.all(visit.client))
      const tool = tools.find(({ name }) => name === output.tool)!
      deepStrictEqual(tool.outputSchema?.type, "object")
      deepStrictEqual((yield* Tools.call(visit.client, tool, output.args)).structuredContent, output.content)
      const Read = Schema.Record(Schema.String, Schema.Unknown)
      deepStrictEqual(yield* Tools.callAs(visit.client, tool, Read, output.args), output.content)
    }),
  failure: (visit) => Effect.map(asks(visit, visit.words.failure), ({ isError }) => deepStrictEqual(isError, true)),
  progress: (visit) =>
    Effect.gen(function* () {
      const { args = {}, text = "", times, tool } = visit.words.progress
      const told = yield* Stream.runCollect(Tools.callWithProgress(visit.client, tool, args))
      const seen = told.map((step) => (step._tag === "Progress" ? step.progress.progress : Tools.text(step.result)))
      deepStrictEqual(
        seen.slice(0, -1),
        Array.from({ length: times }, (_, n) => n + 1)
      )
      ok(String(seen.at(-1)).includes(text))
    }),
  cancellation: (visit) =>
    Effect.gen(function* () {
      const { stopped, wait } = visit.words.cancellation!(crypto.randomUUID())
      const begun = Tools.callWithProgress(visit.client, wait.tool, wait.args ?? {})
      // leaving the stream cancels
      deepStrictEqual((yield* Stream.runCollect(Stream.take(begun, 1)))[0]?._tag, "Progress")
      yield* asks(visit, stopped)
    }),
  logs: (visit) =>
    Effect.gen(function* () {
      const { client, words } = visit
      yield* Logging.setLevel(client, words.logs.level)
      const heard = yield* hears(Logging.messages(client), asks(visit, words.logs))
      deepStrictEqual({ ...heard, ...words.logs.heard }, heard)
      ok(typeof heard.data === "string")
    }),
  resources: ({ client, words }) =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(Resources.all(client))
      const uris = all.map(({ uri }) => uri)
      for (const { text, uri } of words.resources) {
        ok(uris.includes(uri), `${uri} among ${uris.join(", ")}`)
        ok(Resources.text(yield* Resources.read(client, uri)).includes(text))
      }
    }),
  "resources of bytes": ({ client, words }) =>
    Effect.gen(function* () {
      const { blob, uri } = words.bytes
      const [part] = (yield* Resources.read(client, uri)).contents
      ok(part !== undefined && "blob" in part && part.blob.length > 0)
      deepStrictEqual(part.blob, blob ?? part.blob)
    }),
  "no such resource": ({ client }) =>
    Effect.gen(function* () {
      deepStrictEqual((yield* Effect.flip(Resources.read(client, "nowhere://nothing")))._tag, "ResourceNotFound")
    }),
  pages: ({ client, words }) =>
    Effect.gen(function* () {
      const { nextCursor, resources } = yield* Resources.list(client)
      deepStrictEqual(resources.length, words.pageSize)
      const next = yield* Resources.list(client, { cursor: nextCursor! })
      const all = yield* Stream.runCollect(Resources.all(client))
      deepStrictEqual(all.slice(0, 4), [...resources, ...next.resources])
      deepStrictEqual(new Set(all.map(({ uri }) => uri)).size, all.length)
      deepStrictEqual(all.length, words.resources.length + 1)
    }),
  templates: ({ client, words: { template } }) =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(Resources.allTemplates(client))
      ok(all.some(({ uriTemplate }) => uriTemplate === template.uri))
      ok(Resources.text(yield* Resources.read(client, template.expanded)).includes(template.text))
    }),
  prompts: ({ client, words: { prompt } }) =>
    Effect.gen(function* () {
      const all = yield* Stream.runCollect(Prompts.all(client))
      const found = all.find(({ name }) => name === prompt.name)!
      const { messages } = yield* Prompts.get(client, found, prompt.args)
      ok(JSON.stringify(messages).includes(prompt.text))
    }),
  completion: ({ client, words: { prompt, template } }) =>
    Effect.gen(function* () {
      const ofPrompt = yield* Completion.complete(client, prompt.completes, prompt.completes)
      deepStrictEqual(ofPrompt.values, prompt.completes.values)
      const ofTemplate = yield* Completion.complete(client, { template: template.uri }, template.completes)
      deepStrictEqual(ofTemplate.values, template.completes.values)
    }),
  "a form": (visit) =>
    Effect.gen(function* () {
      yield* asks(visit, visit.words.form)
      ok(visit.shown.some((text) => text.includes(visit.words.form.message)))
    }),
  "a page": (visit) =>
    Effect.gen(function* () {
      yield* asks(visit, visit.words.page)
      deepStrictEqual(visit.pages.at(-1)?.url, visit.words.page.url)
    }),
  "a page that is done": (visit) =>
    Effect.gen(function* () {
      yield* asks(visit, visit.words.page)
      yield* visit.pages.at(-1)!.done
    }),
  "a page before the call": (visit) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(call(visit, visit.words.signIn))
      if (error._tag !== "RpcError") return yield* Effect.fail(error)
      const before = visit.pages.length
      ok(yield* Answers.visit(visit.client, error))
      deepStrictEqual(visit.pages.length, before + 1)
    }),
  sampling: (visit) =>
    Effect.gen(function* () {
      yield* asks(visit, visit.words.model)
      ok(visit.shown.some((text) => text.includes(visit.words.model.prompt)))
    }),
  roots: (visit) => asks(visit, { ...visit.words.where, text: "file:///garden" }),
  "roots that change": (visit) =>
    Effect.gen(function* () {
      yield* SubscriptionRef.update(visit.roots, (roots) => [...roots, { uri: "file:///shed" }])
      yield* asks(visit, { ...visit.words.where, text: "file:///shed" })
    }),
  "changes of lists": (visit) =>
    Effect.gen(function* () {
      const grow = visit.words.grow(`new-${crypto.randomUUID()}`)
      const wish = grow.list === "tools" ? { toolsListChanged: true } : { resourcesListChanged: true }
      const name = String(grow.args?.name)
      const before = yield* namesOf(visit)
      const { change, granted } = yield* changes(visit, wish, asks(visit, grow))
      deepStrictEqual(granted, wish)
      deepStrictEqual(change, { _tag: "ListChanged", list: grow.list })
      const after = grow.list === "tools" ? namesOf(visit) : resourceNames(visit)
      ok(!before.includes(name) && (yield* after).includes(name))
    }),
  "changes of resources": (visit) =>
    Effect.gen(function* () {
      const { touch } = visit.words
      const wish = { resourceSubscriptions: [touch.uri] }
      const { change, granted } = yield* changes(visit, wish, asks(visit, touch))
      deepStrictEqual(granted, wish)
      deepStrictEqual(change, { _tag: "Updated", uri: touch.uri })
    })
} satisfies { readonly [feature: string]: Step }

const resourceNames = ({ client }: Visit) =>
  Effect.map(Stream.runCollect(Resources.all(client)), (all) => all.map(({ name }) => name))

export type Feature = keyof typeof steps
