import {
  type ClientCapabilities,
  type InputRequest,
  Invalid,
  type JsonRpc,
  type Question,
  type QuestionCodec,
  type Questions,
  type Revision
} from "@effective-mcp/protocol"
import type * as Effect from "effect/Effect"
import { AskError } from "../AskError.ts"
import { missing } from "./declared.ts"

/** A question as one client is asked it. */
export interface Put {
  readonly key: string
  /** In neutral terms, and as the client's revision says it. */
  readonly request: InputRequest
  readonly params: JsonRpc.JsonObject
}

/** How an era has its client answer: the results of some questions in their order, as they came. */
export interface Way {
  /** `timeoutMs` is how long each waits for its answer, where it waits and this `ask` says so. */
  readonly put: (
    questions: ReadonlyArray<Put>,
    timeoutMs?: number
  ) => Effect.Effect<ReadonlyArray<JsonRpc.JsonObject>, AskError>
  /** Tells the client that what it was sent away for is done, where it can hear that. */
  readonly done: (elicitationId: string) => Effect.Effect<void>
  /** The error that answers a request whose handler lets this one pass. */
  readonly refusal: (error: AskError) => AskError
}

const encodeWith = <M extends Question>(
  revision: Revision,
  method: M,
  params: Questions[M]["params"]
): JsonRpc.JsonObject | Invalid => {
  const codec: QuestionCodec<Questions[M]["params"], Questions[M]["result"]> | undefined = revision.questions[method]
  return codec?.encodeParams(params) ?? new Invalid(`there is no ${method} in this revision`)
}

const encode = (revision: Revision, { method, params }: InputRequest): JsonRpc.JsonObject | Invalid => {
  switch (method) {
    case "elicitation/create":
      return encodeWith(revision, method, params)
    case "sampling/createMessage":
      return encodeWith(revision, method, params)
    case "roots/list":
      return encodeWith(revision, method, params ?? {})
  }
}

/** What depends on whom is asked: a page gets a name, and what only some clients can give is not asked of others. */
const suit = (request: InputRequest, { sampling }: ClientCapabilities): InputRequest => {
  const { method, params } = request
  if (method === "elicitation/create" && params.mode === "url" && params.elicitationId === undefined)
    return { method, params: { ...params, elicitationId: crypto.randomUUID() } }
  if (method !== "sampling/createMessage" || params.includeContext === undefined) return request
  if (sampling?.context !== undefined) return request
  const { includeContext: _unasked, ...rest } = params
  return { method, params: rest }
}

/** Questions as a client is asked them, or why it cannot be. */
export const prepare = (
  requests: ReadonlyArray<readonly [key: string, request: InputRequest]>,
  revision: Revision,
  capabilities: ClientCapabilities
): ReadonlyArray<Put> | AskError => {
  const required = missing(
    requests.map(([, request]) => request),
    capabilities
  )
  if (required !== undefined) return new AskError({ reason: { _tag: "NotDeclared", required } })
  const puts: Array<Put> = []
  for (const [key, asked] of requests) {
    const request = suit(asked, capabilities)
    const params = encode(revision, request)
    if (params instanceof Invalid) return new AskError({ reason: { _tag: "Unaskable", detail: params.detail } })
    puts.push({ key, request, params })
  }
  return puts
}
