import {
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitResult,
  type FormSchema,
  type FormValue,
  type InputRequest,
  Invalid,
  type JsonRpc,
  type ListRootsResult,
  type Question,
  type QuestionCodec,
  type Questions,
  type Revision,
  type Root,
  Sampling
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { type Fields, fromFields, fromSchema, fromStandard, type Reading } from "./ask/form.ts"
import { requireParams } from "./ask/sampling.ts"
import type { Output, StandardInput } from "./Input.ts"
import { InputRequired } from "./InputRequired.ts"

/** Why an answer is not one to its question: the place, never what stood there. */
type Fault = string

/** One question to a client, as a value: `Call.ask` puts it, and gives back its `A`. */
export interface Ask<out A> {
  readonly request: InputRequest
  /** What a client said in some revision, checked; `done` tells it that what it was sent away for is done. */
  readonly read: (revision: Revision, wire: JsonRpc.JsonObject, done: Effect.Effect<void>) => Effect.Effect<A, Fault>
}

/** What each of some questions is answered with, under the question's own key. */
export type Answers<Q> = { readonly [K in keyof Q]: Q[K] extends Ask<infer A> ? A : never }

/** `decline` is a no; `cancel` is no answer: a dialog that was closed, for one. */
interface Refusal {
  readonly action: "decline" | "cancel"
}

/** What a person did with a form. */
export type FormAnswer<Content> = { readonly action: "accept"; readonly content: Content } | Refusal

/**
 * What a person did with a page to go to. `accept` only says that they agreed to go there; run `done` once what they do
 * there is done, and a client of a revision that can hear of it does.
 */
export type UrlAnswer = { readonly action: "accept"; readonly done: Effect.Effect<void> } | Refusal

const make = <M extends Question, A>(
  method: M,
  params: Questions[M]["params"],
  read: (result: Questions[M]["result"], done: Effect.Effect<void>) => Effect.Effect<A, Fault>
): Ask<A> => ({
  request: { method, params } as unknown as InputRequest, // cast: each method stands with its own params
  read: (revision, wire, done) => {
    const codec: QuestionCodec<Questions[M]["params"], Questions[M]["result"]> | undefined = revision.questions[method]
    const result = codec?.decodeResult(wire) ?? new Invalid("there is no such question")
    return result instanceof Invalid ? Effect.fail(result.detail) : read(result, done)
  }
})

const readForm =
  <A>(reading: Reading<A>) =>
  ({ action, content = {} }: ElicitResult): Effect.Effect<FormAnswer<A>, Fault> =>
    action === "accept"
      ? Effect.map(reading(content), (content) => ({ action, content }))
      : Effect.succeed<FormAnswer<A>>({ action })

interface Form {
  /**
   * A form for a person to fill in. A field is a text, a number, a boolean, one of some texts, or a list of some; Effect
   * Schemas of anything else are a mistake of the author: it throws. Never ask for a password or a key: a form passes
   * through the client and may be seen by a model; that is what `url` is for.
   *
   * @param fields what the form asks for; `title`, `description` and `default` are annotations
   * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests
   */
  <const F extends Fields>(message: string, fields: F): Ask<FormAnswer<Schema.Struct.Type<F>>>
  /** The same, from a schema of an object of another library (zod 4, arktype, …). */
  <S extends StandardInput>(message: string, schema: S): Ask<FormAnswer<Output<S>>>
  /** The same, from a JSON Schema, which is kept verbatim. */
  (message: string, requestedSchema: FormSchema): Ask<FormAnswer<{ readonly [name: string]: FormValue }>>
}

const isStandard = (form: Fields | StandardInput | FormSchema): form is StandardInput => "~standard" in form

const isFormSchema = (form: Fields | FormSchema): form is FormSchema => form.type === "object"

export const form: Form = <F extends Fields>(
  message: string,
  described: F | StandardInput | FormSchema
): Ask<FormAnswer<Schema.Struct.Type<F> & { readonly [name: string]: FormValue }>> => {
  const { reading, requestedSchema } = isStandard(described)
    ? fromStandard(described)
    : isFormSchema(described)
      ? fromSchema(described)
      : fromFields(described)
  // cast: what a form is read as follows from what describes it, which the signatures say
  const read = readForm(reading as Reading<Schema.Struct.Type<F> & { readonly [name: string]: FormValue }>)
  return make("elicitation/create", { mode: "form", message, requestedSchema }, read)
}

/**
 * A page for a person to go to, for what must not pass through the client: secrets, payments, signing in elsewhere. The
 * page has to make sure who opens it, and its URL must give access to nothing and say nothing of the user.
 *
 * @param url an `https:` or `http:` URL without credentials; anything else throws
 * @param elicitationId how 2025-11-25 names it, where the page has to know; random without one
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
 */
export const url = (message: string, url: string, elicitationId?: string): Ask<UrlAnswer> => {
  const { password, protocol, username } = new URL(url)
  if (protocol !== "https:" && protocol !== "http:") throw new Error("a person is sent to http and https alone")
  if (username !== "" || password !== "") throw new Error("a URL that a person is sent to holds no credentials")
  return make(
    "elicitation/create",
    { mode: "url", message, url, ...(elicitationId === undefined ? undefined : { elicitationId }) },
    ({ action }, done) => Effect.succeed<UrlAnswer>(action === "accept" ? { action, done } : { action })
  )
}

/**
 * Has the client's model asked. With `tools` the answer may use them: run them, append the answer and a user's message
 * of their results, and ask again under another key. Messages that are no conversation throw.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export const sample = (params: CreateMessageParams): Ask<CreateMessageResult> => {
  requireParams(params)
  return make("sampling/createMessage", params, (result) => {
    const fault = Sampling.faultOfResult(params, result)
    return fault === undefined ? Effect.succeed(result) : Effect.fail(fault)
  })
}

const isFile = ({ uri }: Root): boolean => /^file:\/\//i.test(uri)

/**
 * Where the client lets the server work: `file:` URIs; a root of any other kind is left out.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
 */
export const roots: Ask<ReadonlyArray<Root>> = /* @__PURE__ */ make("roots/list", {}, ({ roots }: ListRootsResult) => {
  const files = roots.filter(isFile)
  return files.length === roots.length
    ? Effect.succeed(roots)
    : Effect.as(Effect.logWarning(`${roots.length - files.length} roots of the client are no files`), files)
})

/**
 * What a handler gives back that runs its rounds itself: questions for the client, which makes its request again with
 * their answers (`Call.inputResponses`) and with `state` (`Call.requestState`), which nobody but the server can read or
 * change. A legacy client is asked one question after the other. Most handlers want `Call.ask`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export const required = (questions: { readonly [key: string]: Ask<unknown> }, state?: string): InputRequired => {
  if (state === undefined && Object.keys(questions).length === 0) throw new Error("neither a question nor a state")
  const requests = Object.entries(questions).map(([key, { request }]) => [key, request] as const)
  return new InputRequired(Object.fromEntries(requests), state)
}
