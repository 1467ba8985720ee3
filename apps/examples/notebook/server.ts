import {
  Call,
  Changes,
  type Feature,
  Prompt,
  Resource,
  ResourceNotFound,
  ResourceTemplate,
  Server,
  Tool
} from "@effective-mcp/server"
import { Effect, Schema, SubscriptionRef } from "effect"

const uriOf = (name: string): string => `note:///${encodeURIComponent(name)}`

/** A notebook: each note is a resource, which changes, and their list changes, too. */
export const notebook = Effect.gen(function* () {
  const notes = new Map([["first", "Hello"]])
  const changes = Changes.make()
  const features = yield* SubscriptionRef.make<ReadonlyArray<Feature>>([])
  const server = Server.make({ name: "notebook", version: "1.0.0" }, features, { changes, logging: true })

  const note = (name: string) =>
    Resource.make(uriOf(name), {
      name,
      mimeType: "text/plain",
      read: Effect.sync(() => notes.get(name) ?? [])
    })

  const any = ResourceTemplate.make("note:///{name}", {
    name: "note",
    description: "A note by its name",
    mimeType: "text/plain",
    complete: { name: (typed) => Effect.sync(() => [...notes.keys()].filter((name) => name.startsWith(typed))) },
    read: ({ name }, uri) => {
      const text = notes.get(name)
      return text === undefined ? Effect.fail(new ResourceNotFound({ uri })) : Effect.succeed(text)
    }
  })

  const summarize = Prompt.make("summarize", {
    description: "Asks for a summary of a note",
    arguments: { name: Schema.String.annotate({ description: "Which note" }) },
    complete: { name: (typed) => Effect.sync(() => [...notes.keys()].filter((name) => name.startsWith(typed))) },
    run: ({ name }) =>
      Effect.succeed([
        Prompt.user("Summarize this note:"),
        Prompt.user({ type: "resource", resource: { uri: uriOf(name), text: notes.get(name) ?? "" } })
      ])
  })

  const write = Tool.make("write", {
    description: "Writes a note",
    input: { name: Schema.NonEmptyString, text: Schema.String },
    run: Effect.fnUntraced(function* ({ name, text }) {
      const { log } = yield* Call
      const isNew = !notes.has(name)
      notes.set(name, text)
      yield* log("info", { written: name }, "notebook")
      if (isNew) yield* SubscriptionRef.update(features, (all) => [...all, note(name)])
      yield* changes.publish(Changes.updated(uriOf(name)))
      return isNew ? "A new note" : "Changed"
    })
  })

  const close = Tool.make("close", {
    description: "Ends all subscriptions",
    run: () =>
      Effect.as(
        Effect.suspend(() => server.endSubscriptions),
        "Closed"
      )
  })

  yield* SubscriptionRef.set(features, [write, close, summarize, any, note("first")])
  return server
})
