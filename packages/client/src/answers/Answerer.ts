import {
  type ClientCapabilities,
  type CreateMessageParams,
  type CreateMessageResult,
  type ElicitParams,
  type ElicitResult,
  Invalid,
  JsonRpc,
  type Question,
  type QuestionCodec,
  type Questions,
  type Revision,
  type Root,
  Sampling
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Answer, Asked, Page, Reply } from "../Answers.ts"
import { filled } from "./form.ts"
import { isFile } from "./isFile.ts"
import { fromFailure, noAnswer, ours, Unanswered, unknown, wrong } from "./Unanswered.ts"

/** A question as it came, whatever it claims to be. */
export interface Put {
  readonly method: string
  readonly params?: unknown
}

/** How a question that can be answered is; its result as the wire has it. */
export type Answering = Effect.Effect<JsonRpc.JsonObject, Unanswered>

/** All that a host answers. */
export interface Answerer {
  /** What it can be asked, as it registered it. */
  readonly capabilities: ClientCapabilities
  readonly roots: Extract<Answer, { readonly kind: "roots" }>["changing"]
  /** How a question is answered, or why it is not; nothing has run yet. `doneOf` is what a page's `done` is. */
  readonly prepare: (
    revision: Revision,
    question: Put,
    asked: Asked,
    doneOf: (elicitationId: string | undefined) => Effect.Effect<void>
  ) => Answering | Unanswered
}

type Kinds = { readonly [K in Answer["kind"]]?: Extract<Answer, { readonly kind: K }> }

const kindsOf = (answers: ReadonlyArray<Answer>): Kinds => {
  const kinds = new Map<string, Answer>()
  for (const answer of answers) {
    if (kinds.has(answer.kind)) throw new Error(`two answers to one kind of question: ${answer.kind}`)
    kinds.set(answer.kind, answer)
  }
  return Object.fromEntries(kinds) as Kinds // cast: each under its own kind
}

const capabilitiesOf = ({ form, roots, sampling, url }: Kinds): ClientCapabilities => ({
  ...(form || url ? { elicitation: { ...(form && { form: {} }), ...(url && { url: {} }) } } : undefined),
  ...(sampling && { sampling: sampling.declares }),
  ...(roots && { roots: roots.changing === undefined ? {} : { listChanged: true } })
})

/** Runs what a host has registered: whatever it does comes back as an answer or as the lack of one. */
const guard = <A>(run: () => Effect.Effect<A, unknown>): Effect.Effect<A, Unanswered> =>
  Effect.suspend(run).pipe(
    Effect.mapError((failure) => (failure instanceof Unanswered ? failure : fromFailure(failure))),
    Effect.catchDefect((defect) => Effect.fail(ours("Failed", "the host failed to answer", defect)))
  )

const isReply = (reply: unknown): reply is Reply =>
  JsonRpc.isObject(reply) && (reply.action === "accept" || reply.action === "decline" || reply.action === "cancel")

/** What is not seen, or makes other parts of an address be seen elsewhere than they are. */
const hidden = /[\p{Cc}\p{Bidi_Control}]/u

/** Nothing else is opened for a server, whoever agrees. */
const isWeb = (url: string): boolean => !hidden.test(url) && /^https?:$/.test(URL.parse(url)?.protocol ?? "")

const noReply = ours("Unfit", "the host gave back no answer")

export const make = (answers: ReadonlyArray<Answer>): Answerer => {
  const kinds = kindsOf(answers)
  const { form, roots, sampling, url } = kinds

  const elicit = (params: ElicitParams, asked: Asked, done: (id: string | undefined) => Effect.Effect<void>) =>
    Effect.gen(function* (): Generator<Effect.Effect<unknown, unknown>, ElicitResult, never> {
      if (params.mode === "url") {
        const { elicitationId, message, url: address } = params
        const page: Page = {
          message,
          url: address,
          done: done(elicitationId),
          ...(elicitationId === undefined ? undefined : { elicitationId })
        }
        const reply = yield* url!.run(page, asked)
        return isReply(reply) ? { action: reply.action } : yield* Effect.fail(noReply)
      }
      const reply = yield* form!.run(params, asked)
      if (!isReply(reply)) return yield* Effect.fail(noReply)
      if (reply.action !== "accept") return { action: reply.action }
      return { action: "accept", content: yield* filled(params, reply.content ?? {}) }
    })
  /** A host that did not declare `context` does not see that it is wished for. */
  const withoutContext = ({ includeContext, ...params }: CreateMessageParams): CreateMessageParams =>
    includeContext === undefined || (includeContext !== "none" && sampling?.declares.context === undefined)
      ? params
      : { ...params, includeContext }
  const sample = (params: CreateMessageParams, asked: Asked) =>
    Effect.flatMap(
      Effect.suspend(() => sampling!.run(withoutContext(params), asked)),
      (result): Effect.Effect<CreateMessageResult, Unanswered> => {
        if (!JsonRpc.isObject(result) || (!JsonRpc.isObject(result.content) && !Array.isArray(result.content)))
          return Effect.fail(noReply)
        const fault = Sampling.faultOfResult(params, result)
        return fault === undefined
          ? Effect.succeed(result)
          : Effect.fail(ours("Unfit", `what the model said does not fit: ${fault}`))
      }
    )
  const listRoots = (asked: Asked) =>
    Effect.flatMap(
      Effect.suspend(() => roots!.run(asked)),
      (all: ReadonlyArray<Root>) => {
        if (!Array.isArray(all)) return Effect.fail(noReply)
        const files = all.filter(isFile)
        const left = all.length - files.length
        return left === 0
          ? Effect.succeed({ roots: all })
          : Effect.as(Effect.logWarning(`${left} roots are no files, and are left out`), { roots: files })
      }
    )

  /** What cannot be asked of this host at all; looked at before anything else is. */
  const refusal = ({ method, params }: Put): Unanswered | undefined => {
    const { mode = "form", toolChoice, tools } = JsonRpc.isObject(params) ? params : {}
    switch (method) {
      case "elicitation/create":
        if (form === undefined && url === undefined) return noAnswer(method)
        if (mode !== "form" && mode !== "url") return wrong("NotDeclared", "there is no such mode")
        return (mode === "url" ? url : form) === undefined
          ? wrong("NotDeclared", `the mode ${mode} was not declared`)
          : undefined
      case "sampling/createMessage":
        if (sampling === undefined) return noAnswer(method)
        return (tools !== undefined || toolChoice !== undefined) && sampling.declares.tools === undefined
          ? wrong("NotDeclared", "tools were not declared")
          : undefined
      case "roots/list":
        return roots === undefined ? noAnswer(method) : undefined
      default:
        return unknown(method)
    }
  }
  const answering = <M extends Question>(
    revision: Revision,
    method: M,
    params: unknown,
    run: (params: Questions[M]["params"]) => Effect.Effect<Questions[M]["result"], unknown> | Unanswered
  ): Answering | Unanswered => {
    const codec: QuestionCodec<Questions[M]["params"], Questions[M]["result"]> | undefined = revision.questions[method]
    if (codec === undefined) return unknown(method)
    const read = codec.decodeParams(JsonRpc.isObject(params) ? params : {})
    if (read instanceof Invalid) return wrong("Malformed", read.detail)
    const running = run(read)
    if (running instanceof Unanswered) return running
    return Effect.flatMap(
      guard(() => running),
      (result) => {
        const wire = codec.encodeResult(result)
        const fault = codec.decodeResult(wire)
        return fault instanceof Invalid ? Effect.fail(ours("Unfit", fault.detail)) : Effect.succeed(wire)
      }
    )
  }

  return {
    capabilities: capabilitiesOf(kinds),
    roots: roots?.changing,
    prepare: (revision, question, asked, doneOf) => {
      const refused = refusal(question)
      if (refused !== undefined) return refused
      const { method, params } = question
      switch (method) {
        case "elicitation/create":
          return answering(revision, method, params, (read) =>
            read.mode === "url" && !isWeb(read.url)
              ? wrong("Malformed", "the url is no web address")
              : elicit(read, asked, doneOf)
          )
        case "sampling/createMessage":
          return answering(revision, method, params, (read) => {
            const fault = Sampling.faultOfMessages(read.messages)
            return fault === undefined ? sample(read, asked) : wrong("Malformed", fault)
          })
        case "roots/list":
          return answering(revision, method, params, () => listRoots(asked))
        default:
          return unknown(method)
      }
    }
  }
}
