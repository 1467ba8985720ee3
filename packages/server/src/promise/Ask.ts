import * as Effect from "effect/Effect"
import * as Base from "../Ask.ts"

export { type Answers, type Ask, form, type FormAnswer, roots, sample } from "../Ask.ts"

/**
 * What a person did with a page to go to. `accept` only says that they agreed to go there; call `done` once what they do
 * there is done, and a client of a revision that can hear of it does.
 */
export type UrlAnswer =
  | { readonly action: "accept"; readonly done: () => Promise<void> }
  | { readonly action: "decline" | "cancel" }

/**
 * A page for a person to go to, for what must not pass through the client: secrets, payments, signing in elsewhere. The
 * page has to make sure who opens it, and its URL must give access to nothing and say nothing of the user.
 *
 * @param url an `https:` or `http:` URL without credentials; anything else throws
 * @param elicitationId how 2025-11-25 names it, where the page has to know; random without one
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
 */
export const url = (message: string, url: string, elicitationId?: string): Base.Ask<UrlAnswer> => {
  const { read, request } = Base.url(message, url, elicitationId)
  return {
    request,
    read: (...said) =>
      Effect.flatMap(Effect.context<never>(), (context) =>
        Effect.map(read(...said), (answer) =>
          answer.action === "accept"
            ? { action: answer.action, done: () => Effect.runPromiseWith(context)(answer.done) }
            : answer
        )
      )
  }
}
