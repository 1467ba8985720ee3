import type {
  ClientCapabilities,
  CreateMessageParams,
  CreateMessageResult,
  ElicitFormParams,
  FormValue,
  JsonRpc,
  Root
} from "@effective-mcp/protocol"
import { ErrorCode, JsonRpc as Rpc, type RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { isFile } from "./answers/isFile.ts"
import type { Session } from "./Session.ts"

/** What is known of a question beside what it asks. */
export interface Asked {
  /** The call that the server asks because of; undefined where the wire does not tell, as no pipe of a legacy server does. */
  readonly call?: { readonly method: string; readonly id: JsonRpc.RequestId } | undefined
  /** The name that the server gave the question, where it asks in a result (2026-07-28). */
  readonly key?: string | undefined
}

/**
 * What answers a question. An `RpcError` that it fails with reaches a legacy server as it is (`-1` says that a person
 * refused); of anything else a server learns no more than that, and the cause goes to the log.
 */
export type Run<Question, Reply> = (question: Question, asked: Asked) => Effect.Effect<Reply, unknown>

/** What a person did with a form or a page: `decline` is a no, `cancel` says nothing. */
export type Reply =
  | { readonly action: "accept"; readonly content?: { readonly [name: string]: FormValue } | null | undefined }
  | { readonly action: "decline" | "cancel" }

/** A page that a person is asked to go to. */
export interface Page {
  readonly message: string
  /** As the server sent it: show the whole of it, and open it only when the person agrees. Nothing has been fetched. */
  readonly url: string
  readonly elicitationId?: string
  /** Completes when the server says that all is done there, which only servers of 2025-11-25 do; otherwise never. */
  readonly done: Effect.Effect<void>
}

/** One kind of question that a host answers. */
export type Answer =
  | { readonly kind: "form"; readonly run: Run<ElicitFormParams, Reply> }
  | { readonly kind: "url"; readonly run: Run<Page, Reply> }
  | {
      readonly kind: "sampling"
      readonly run: Run<CreateMessageParams, CreateMessageResult>
      readonly declares: NonNullable<ClientCapabilities["sampling"]>
    }
  | {
      readonly kind: "roots"
      readonly run: (asked: Asked) => Effect.Effect<ReadonlyArray<Root>, unknown>
      readonly changing: SubscriptionRef.SubscriptionRef<ReadonlyArray<Root>> | undefined
    }

/** The answer of a person who agrees; to a form, with what was filled in. Its defaults are filled in for what is left out. */
export const accept = (content?: { readonly [name: string]: FormValue }): Reply =>
  content === undefined ? { action: "accept" } : { action: "accept", content }

/** The answer of a person who says no. */
export const decline: Reply = { action: "decline" }

/** The answer of a person who closes the dialog. */
export const cancel: Reply = { action: "cancel" }

/**
 * Shows a person a form. What they accept is checked against what was asked.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests
 */
export const form = (run: Run<ElicitFormParams, Reply>): Answer => ({ kind: "form", run })

/**
 * Asks a person whether to go to a page, and takes them there if they agree.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
 */
export const url = (run: Run<Page, Reply>): Answer => ({ kind: "url", run })

export interface SampleOptions {
  /** Whether the model may be given tools to use. A server that gives it some where this is not so is refused. */
  readonly tools?: boolean | undefined
  /** Whether `includeContext` is heeded. Where it is not, a wish for the context of servers is left out of what `run` is given. */
  readonly context?: boolean | undefined
}

/**
 * Has a model answer.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 */
export const sample = (
  run: Run<CreateMessageParams, CreateMessageResult>,
  { context = false, tools = false }: SampleOptions = {}
): Answer => ({
  kind: "sampling",
  run,
  declares: { ...(tools ? { tools: {} } : undefined), ...(context ? { context: {} } : undefined) }
})

type Roots = ReadonlyArray<Root>

/**
 * Says where the server may work: a list, an effect of one, or a `SubscriptionRef` of one, whose changes a legacy server is
 * told of. Only `file:` URIs; any other in a list that is given as such throws, and elsewhere is left out.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
 */
export const roots = <R extends Roots>(
  roots:
    | Roots
    | Effect.Effect<Roots, unknown>
    | SubscriptionRef.SubscriptionRef<R>
    | ((asked: Asked) => Effect.Effect<Roots, unknown>)
): Answer => {
  if (typeof roots === "function") return { kind: "roots", run: roots, changing: undefined }
  if (SubscriptionRef.isSubscriptionRef(roots)) {
    const changing = roots as unknown as SubscriptionRef.SubscriptionRef<Roots> // cast: it is only read
    return { kind: "roots", run: () => SubscriptionRef.get(changing), changing }
  }
  if (Effect.isEffect(roots)) return { kind: "roots", run: () => roots, changing: undefined }
  const list = roots as Roots // cast: nothing else is left
  for (const root of list) if (!isFile(root)) throw new Error("a root is a file: URI")
  return { kind: "roots", run: () => Effect.succeed(list), changing: undefined }
}

/**
 * The pages that an error wants a person to go to before the call is made again; undefined when it is no such error. Only
 * servers of 2025-11-25 answer so.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation#url-elicitation-required-error
 */
export const pagesOf = ({
  code,
  data
}: RpcError):
  | ReadonlyArray<{ readonly message: string; readonly url: string; readonly elicitationId: string }>
  | undefined => {
  if (code !== ErrorCode.UrlElicitationRequired || !Rpc.isObject(data) || !Array.isArray(data.elicitations))
    return undefined
  const pages: Array<{ message: string; url: string; elicitationId: string }> = []
  for (const entry of data.elicitations as ReadonlyArray<unknown>) {
    if (!Rpc.isObject(entry)) return undefined
    const { elicitationId, message, url } = entry
    if (typeof url !== "string" || typeof message !== "string" || typeof elicitationId !== "string") return undefined
    pages.push({ message, url, elicitationId })
  }
  return pages
}

/**
 * Has the host's own answer to pages show the pages of an error, one after the other, up to the first that is not agreed
 * to. True when all were; then the call can be made again once they are done.
 */
export const visit = (session: Session, error: RpcError): Effect.Effect<boolean> => {
  const next = ([page, ...rest]: ReadonlyArray<{
    readonly message: string
    readonly url: string
    readonly elicitationId: string
  }>): Effect.Effect<boolean> =>
    page === undefined
      ? Effect.succeed(true)
      : Effect.flatMap(session.answer({ method: "elicitation/create", params: { mode: "url", ...page } }), (result) =>
          result?.action === "accept" ? next(rest) : Effect.succeed(false)
        )
  const pages = pagesOf(error)
  return pages === undefined ? Effect.succeed(false) : next(pages)
}
