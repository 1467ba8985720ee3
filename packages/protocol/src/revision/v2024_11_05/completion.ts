import * as Schema from "effect/Schema"
import type { CompleteParams, CompleteResult as Completed } from "../../model/completion.ts"
import type { JsonObject } from "../../JsonRpc.ts"
import { checker, lazy, paramsChecker } from "../check.ts"
import { optionalBoolean, optionalInteger, strings } from "../fields.ts"
import { ofLegacy, omit } from "../project.ts"
import type { Codec } from "../Revision.ts"
import { Result } from "./basic.ts"
import { message } from "./jsonrpc.ts"

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/completion#reference-types */
export const PromptReference = lazy(() => Schema.Struct({ type: Schema.Literal("ref/prompt"), name: Schema.String }))

/** Of a resource or a template. @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/completion#reference-types */
export const ResourceReference = lazy(() => Schema.Struct({ type: Schema.Literal("ref/resource"), uri: Schema.String }))

/** What of a reference is being typed. */
export const argument = lazy(() => Schema.Struct({ name: Schema.String, value: Schema.String }))

/** What is to be completed. */
export const completeParams = lazy(() =>
  Schema.Struct({ ref: Schema.Union([PromptReference(), ResourceReference()]), argument: argument() })
)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/completion#requesting-completions */
export const CompleteRequest = message("completion/complete", completeParams)

/** @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/completion#completion-results */
export const CompleteResult = lazy(() =>
  Schema.Struct({
    completion: Schema.Struct({ values: strings(), total: optionalInteger(), hasMore: optionalBoolean() }),
    ...Result().fields
  })
)

const MOST = 100

/** More values than may be said are cut off, and `hasMore` says so. */
export const encodeCompletion = (result: Completed): JsonObject => {
  const { completion } = result
  if (completion.values.length <= MOST) return { ...result }
  return { ...result, completion: { ...completion, values: completion.values.slice(0, MOST), hasMore: true } }
}

/** What is known of other arguments cannot be said here. @see https://modelcontextprotocol.io/specification/2024-11-05/server/utilities/completion */
export const complete: Codec<CompleteParams, Completed> = {
  decodeParams: paramsChecker(completeParams),
  encodeParams: ({ argument, ref }) => ({ argument, ref: omit(ref, ["title"]) }),
  decodeResult: checker(CompleteResult),
  encodeResult: (result) => ofLegacy(encodeCompletion(result))
}
