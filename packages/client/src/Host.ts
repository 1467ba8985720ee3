import type { Handler } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Answer } from "./Answers.ts"
import { type Answerer, make } from "./answers/Answerer.ts"

/** What a client is to its server: it answers what it was made to answer, and hears what is said outside any exchange. */
export interface Host extends Pick<Handler, "notify"> {
  readonly answers: Answerer
}

/** One that hears nothing. Two answers to one kind of question throw. */
export const hostOf = (answers: ReadonlyArray<Answer>): Host => ({ notify: () => Effect.void, answers: make(answers) })
