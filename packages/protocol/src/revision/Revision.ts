import type { Era } from "../era/Era.ts"
import type { JsonObject } from "../JsonRpc.ts"
import type { Method, Methods } from "../model/methods.ts"

/** Why a value is not what its revision says; names the place, never what stood there. */
export class Invalid {
  readonly detail: string
  constructor(detail: string) {
    this.detail = detail
  }
}

/** How one revision carries one request, both ways: `decode*` checks what came off the wire, `encode*` projects. */
export interface Codec<Params, Result> {
  readonly decodeParams: (wire: JsonObject) => Params | Invalid
  readonly encodeParams: (params: Params) => JsonObject
  readonly decodeResult: (wire: JsonObject) => Result | Invalid
  /** Leaves out what the revision cannot say. */
  readonly encodeResult: (result: Result) => JsonObject
  /** The result that says that a tool's arguments do not fit; without it that is an error response (`-32602`). */
  readonly wrongArguments?: (message: string) => JsonObject
}

/**
 * A dated version of the protocol: what it knows, and how that looks on the wire. A method that is absent does not
 * exist in it.
 */
export interface Revision {
  readonly version: string
  readonly era: Era
  readonly methods: { readonly [M in Method]?: Codec<Methods[M]["params"], Methods[M]["result"]> }
}
