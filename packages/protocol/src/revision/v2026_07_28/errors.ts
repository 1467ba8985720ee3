import * as Schema from "effect/Schema"
import { lazy } from "../check.ts"
import { type Definition, strings } from "../fields.ts"
import { Error, errorResponse } from "../v2025_11_25/jsonrpc.ts"
import { ClientCapabilities } from "./capabilities.ts"

export { Error }

/** An error with one code, and data of a kind where the code has some. */
/* @__NO_SIDE_EFFECTS__ */
const coded = (code: number, data?: Definition): Definition =>
  lazy(() =>
    Schema.Struct({
      ...Error().fields,
      code: Schema.Literal(code),
      ...(data === undefined ? undefined : { data: data() })
    })
  )

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#parseerror */
export const ParseError = coded(-32700)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#invalidrequesterror */
export const InvalidRequestError = coded(-32600)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#methodnotfounderror */
export const MethodNotFoundError = coded(-32601)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#invalidparamserror */
export const InvalidParamsError = coded(-32602)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#internalerror */
export const InternalError = coded(-32603)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#headermismatcherror */
export const HeaderMismatchError = errorResponse(coded(-32020))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#missingrequiredclientcapabilityerror */
export const MissingRequiredClientCapabilityError = errorResponse(
  coded(
    -32021,
    lazy(() => Schema.Struct({ requiredCapabilities: ClientCapabilities() }))
  )
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#unsupportedprotocolversionerror */
export const UnsupportedProtocolVersionError = errorResponse(
  coded(
    -32022,
    lazy(() => Schema.Struct({ supported: strings(), requested: Schema.String }))
  )
)
