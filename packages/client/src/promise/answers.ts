import type { CreateMessageParams, CreateMessageResult, ElicitFormParams, Root } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Answers from "../Answers.ts"
import { type Awaitable, running } from "./running.ts"

/** What is known of a question, and a signal that is aborted when nobody waits for the answer any more. */
export interface Asked extends Answers.Asked {
  readonly signal: AbortSignal
}

/** A page that a person is asked to go to. */
export interface Page extends Omit<Answers.Page, "done"> {
  /** Resolves when the server says that all is done there, which only servers of 2025-11-25 do; otherwise never. */
  readonly done: () => Promise<void>
}

/** What a host answers. What is left out is not declared, and a server that asks for it is refused. */
export interface Host {
  /** Shows a person a form. */
  readonly form?: (form: ElicitFormParams, asked: Asked) => Awaitable<Answers.Reply>
  /** Asks a person whether to go to a page, and takes them there if they agree. */
  readonly url?: (page: Page, asked: Asked) => Awaitable<Answers.Reply>
  /** Has a model answer; `sampleOptions` says what it may be given. */
  readonly sample?: (params: CreateMessageParams, asked: Asked) => Awaitable<CreateMessageResult>
  readonly sampleOptions?: Answers.SampleOptions
  /** Where the server may work: `file:` URIs only. */
  readonly roots?: ReadonlyArray<Root> | ((asked: Asked) => Awaitable<ReadonlyArray<Root>>)
}

/** A host's functions as the client's answers. */
export const answersOf = ({ form, roots, sample, sampleOptions, url }: Host): ReadonlyArray<Answers.Answer> => [
  ...(form ? [Answers.form((question, asked) => running((signal) => form(question, { ...asked, signal })))] : []),
  ...(url
    ? [
        Answers.url(({ done, ...page }, asked) =>
          running((signal) => url({ ...page, done: () => Effect.runPromise(done) }, { ...asked, signal }))
        )
      ]
    : []),
  ...(sample
    ? [Answers.sample((params, asked) => running((signal) => sample(params, { ...asked, signal })), sampleOptions)]
    : []),
  ...(roots
    ? [
        Answers.roots(
          typeof roots === "function"
            ? (asked: Answers.Asked) => running((signal) => roots({ ...asked, signal }))
            : roots
        )
      ]
    : [])
]
