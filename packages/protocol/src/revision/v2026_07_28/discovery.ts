import * as Schema from "effect/Schema"
import type { Openings } from "../../model/methods.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optionalString, strings } from "../fields.ts"
import { asItIs, omit } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { request } from "../v2025_11_25/jsonrpc.ts"
import { RequestParams } from "./basic.ts"
import { CacheableResult, decodeHints, encodeHints } from "./caching.ts"
import { ServerCapabilities } from "./capabilities.ts"
import { response } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#discoverrequest */
export const DiscoverRequest = request("server/discover", RequestParams)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#discoverresult */
export const DiscoverResult = lazy(() =>
  Schema.Struct({
    supportedVersions: strings(),
    capabilities: ServerCapabilities(),
    instructions: optionalString(),
    ...CacheableResult().fields
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#discoverresultresponse */
export const DiscoverResultResponse = response(DiscoverResult)

/** Tasks are an extension here, no capability of their own. @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export const discover: Codec<Openings["server/discover"]["params"], Openings["server/discover"]["result"]> = {
  decodeParams: paramsChecker(RequestParams),
  encodeParams: asItIs,
  decodeResult: decodeHints(checker(DiscoverResult)),
  encodeResult: (result) => ({ ...encodeHints(result), capabilities: omit(result.capabilities, ["tasks"]) })
}
