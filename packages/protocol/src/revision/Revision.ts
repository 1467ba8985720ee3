import type { Era } from "../era/Era.ts"
import { Invalid } from "../Invalid.ts"
import type { JsonObject } from "../JsonRpc.ts"
import type { ClientCapabilities } from "../model/capabilities.ts"
import type { InputRequired, InputResponses } from "../model/inputRequired.ts"
import type { Asked, Method, Methods, NotificationMethod, Notifications, Opening, Openings } from "../model/methods.ts"

export { Invalid }

/** Hears of what was left out of a value, so that the rest of it could be read: the place, never what stood there. */
export type Warn = (detail: string) => void

/** How one revision carries one request, both ways: `decode*` checks what came off the wire, `encode*` projects. */
export interface Codec<Params, Result> {
  readonly decodeParams: (wire: JsonObject) => Params | Invalid
  readonly encodeParams: (params: Params) => JsonObject
  /** A list does without those of its entries that are not as the revision says, and tells `warn`. */
  readonly decodeResult: (wire: JsonObject, warn?: Warn) => Result | Invalid
  /** Leaves out what the revision cannot say. */
  readonly encodeResult: (result: Result) => JsonObject
  /** The result that says that a tool's arguments do not fit; without it that is an error response (`-32602`). */
  readonly wrongArguments?: (message: string) => JsonObject
  /** The code of the error that says that there is no such resource. */
  readonly notFound?: number
}

/** How one revision carries a question of the server's. One that it cannot put at all is `Invalid`. */
export interface QuestionCodec<Params, Result> {
  readonly decodeParams: (wire: JsonObject) => Params | Invalid
  readonly encodeParams: (params: Params) => JsonObject | Invalid
  readonly decodeResult: (wire: JsonObject) => Result | Invalid
  readonly encodeResult: (result: Result) => JsonObject
}

/** How one revision carries one notification. */
export interface NotificationCodec<Params> {
  readonly decodeParams: (wire: JsonObject) => Params | Invalid
  readonly encodeParams: (params: Params) => JsonObject
}

/**
 * How a revision carries results that ask for input, and the requests that bring it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export interface InputRequiredCodec {
  readonly decodeResult: (wire: JsonObject) => InputRequired | Invalid
  readonly encodeResult: (result: InputRequired) => JsonObject | Invalid
  /** What a request brings; its answers are checked once it is known what was asked. */
  readonly decodeParams: (wire: JsonObject) => InputResponses | Invalid
  readonly encodeParams: (responses: InputResponses) => JsonObject
}

type Said = { readonly [N in NotificationMethod]?: NotificationCodec<Notifications[N]> }

/**
 * A dated version of the protocol: what it knows, and how that looks on the wire. A method that is absent does not
 * exist in it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export interface Revision {
  readonly version: string
  readonly era: Era
  /** What a client says that it can be asked, without what the revision does not know or would take for something else. */
  readonly clientCapabilities: (capabilities: ClientCapabilities) => ClientCapabilities
  /** What a server may offer without declaring it. */
  readonly undeclared?: ReadonlyArray<string>
  /** What features of a client ask a server. */
  readonly methods: { readonly [M in Method]?: Codec<Methods[M]["params"], Methods[M]["result"]> }
  /** What the era itself asks a server; `ping` is asked in both directions wherever it exists. */
  readonly openings: { readonly [M in Opening]?: Codec<Openings[M]["params"], Openings[M]["result"]> }
  /** What a server asks a client: in requests, or inside results where there is `inputRequired`. */
  readonly questions: { readonly [M in keyof Asked]?: QuestionCodec<Asked[M]["params"], Asked[M]["result"]> }
  readonly inputRequired?: InputRequiredCodec
  /** Whether several messages may come as one JSON array. */
  readonly batches?: true
  readonly notifications: { readonly fromClient: Said; readonly fromServer: Said }
}
