import { Answers, RpcError } from "@effective-mcp/client"
import * as Effect from "effect/Effect"
import type { Script } from "./script.ts"

type Given = NonNullable<Script["answers"]>
type Answer = ReturnType<typeof Answers.form>

/** What a script has for an answer: a value, or `{ error: { code, message } }`. */
const answering = (given: { readonly [name: string]: unknown }): Effect.Effect<never, RpcError> | undefined => {
  const { error } = given
  if (typeof error !== "object" || error === null) return undefined
  const { code = -1, message = "refused", data } = error as { code?: number; message?: string; data?: unknown } // cast: as the script has it
  return Effect.fail(new RpcError({ code, message, ...(data === undefined ? undefined : { data }) }))
}

/** The host of a script. */
export const answersOf = ({ elicitation, roots, sampling }: Given): ReadonlyArray<Answer> => {
  const answers: Array<Answer> = []
  if (elicitation !== undefined) {
    const reply = answering(elicitation) ?? Effect.succeed(elicitation as never) // cast: as the script has it
    answers.push(
      Answers.form(() => reply),
      Answers.url(() => reply)
    )
  }
  if (sampling !== undefined) {
    const { text = "", ...more } = sampling
    const result = { role: "assistant", model: "script", content: { type: "text", text }, ...more }
    const reply = answering(sampling) ?? Effect.succeed(result as never) // cast: as the script has it
    answers.push(Answers.sample(() => reply, { tools: true, context: true }))
  }
  if (roots !== undefined) {
    const failure = Array.isArray(roots) ? undefined : answering(roots as { readonly [name: string]: unknown }) // cast: it is no list
    answers.push(Answers.roots(failure ?? (roots as never))) // cast: as the script has it
  }
  return answers
}
