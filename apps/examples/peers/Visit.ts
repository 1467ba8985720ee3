import { Answers, Client } from "@effective-mcp/client"
import type { Connection, TransportError } from "@effective-mcp/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as SubscriptionRef from "effect/SubscriptionRef"
import type { Words } from "./Words.ts"

const home = { uri: "file:///garden" }

/** Our client at one server, over one wire and in one revision, with an answer to all that servers ask. */
export interface Visit {
  readonly client: Client.Client
  readonly words: Words
  /** Forms and prompts that it was shown. */
  readonly shown: Array<string>
  /** Pages that a person was sent to. */
  readonly pages: Array<Answers.Page>
  readonly roots: SubscriptionRef.SubscriptionRef<ReadonlyArray<{ readonly uri: string }>>
}

export class Visiting extends Context.Service<Visiting, Visit>()("examples/Visiting") {}

/** Connects, for as long as the layer lives. Without a revision, it is whatever both know best. */
export const layer = <E, R>(
  reach: Effect.Effect<Effect.Effect<Connection, TransportError, Scope.Scope>, E, R>,
  words: Words,
  revision: string | undefined
) =>
  Layer.effect(
    Visiting,
    Effect.gen(function* () {
      const shown: Array<string> = []
      const pages: Array<Answers.Page> = []
      const roots = yield* SubscriptionRef.make<ReadonlyArray<{ readonly uri: string }>>([home])
      const answers = [
        Answers.form(({ message }) =>
          Effect.sync(() => {
            shown.push(message)
            return Answers.accept({ name: "Ada" })
          })
        ),
        Answers.url((page) =>
          Effect.sync(() => {
            pages.push(page)
            return Answers.accept()
          })
        ),
        Answers.sample(({ maxTokens, messages }) =>
          Effect.sync(() => {
            shown.push(JSON.stringify(messages))
            return { role: "assistant", content: { type: "text", text: `in ${maxTokens}` }, model: "m" }
          })
        ),
        Answers.roots(roots)
      ]
      const client = yield* Client.connect(yield* reach, { name: "visitor", version: "1" }, { answers, revision })
      return { client, words, shown, pages, roots }
    })
  )
