import * as Schema from "effect/Schema"
import type { JsonObject } from "../../JsonRpc.ts"
import type { InputRequest as Asked } from "../../model/inputRequired.ts"
import { checker, lazy } from "../check.ts"
import { meta, object, oneOf, optional, optionalString } from "../fields.ts"
import { omit } from "../project.ts"
import { type InputRequiredCodec, Invalid } from "../Revision.ts"
import { RequestParams } from "./basic.ts"
import { elicit, ElicitRequest, ElicitRequestParams, ElicitResult } from "./elicitation.ts"
import { listRoots, ListRootsRequest, ListRootsResult } from "./roots.ts"
import { createMessage, CreateMessageRequest, CreateMessageRequestParams, CreateMessageResult } from "./sampling.ts"

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr */
export const InputRequest = oneOf(CreateMessageRequest, ListRootsRequest, ElicitRequest)

const asked = lazy(() =>
  Schema.Union([
    Schema.Struct({ method: Schema.Literal("sampling/createMessage"), params: CreateMessageRequestParams() }),
    Schema.Struct({ method: Schema.Literal("roots/list"), params: optional(Schema.Struct(meta())) }),
    Schema.Struct({ method: Schema.Literal("elicitation/create"), params: ElicitRequestParams() })
  ])
)

/** Each under a key that the server chose. @see https://modelcontextprotocol.io/specification/2026-07-28/schema#inputrequests */
export const InputRequests = lazy(() => Schema.Record(Schema.String, asked()))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr */
export const InputResponse = oneOf(CreateMessageResult, ListRootsResult, ElicitResult)

/** Each under the key of its question. @see https://modelcontextprotocol.io/specification/2026-07-28/schema#inputresponses */
export const InputResponses = lazy(() => Schema.Record(Schema.String, InputResponse()))

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#inputrequiredresult */
export const InputRequiredResult = lazy(() =>
  Schema.Struct({
    resultType: Schema.String,
    inputRequests: optional(InputRequests()),
    requestState: optionalString(),
    ...meta()
  })
)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/schema#inputresponserequestparams */
export const InputResponseRequestParams = lazy(() =>
  Schema.Struct({
    ...RequestParams().fields,
    inputResponses: optional(InputResponses()),
    requestState: optionalString()
  })
)

/** A result that asks for nothing; the very same when it does not. */
export const withoutQuestions = <A extends object>(result: A): A => omit(result, ["inputRequests", "requestState"]) as A // cast: no neutral result has them

const encodeRequest = ({ method, params }: Asked): JsonObject | Invalid => {
  switch (method) {
    case "sampling/createMessage":
      return createMessage.encodeParams(params)
    case "elicitation/create":
      return elicit.encodeParams(params)
    case "roots/list":
      return listRoots.encodeParams(params ?? {})
  }
}

const brought = lazy(() =>
  Schema.Struct({
    inputResponses: optional(Schema.Record(Schema.String, object())),
    requestState: optionalString()
  })
)
const checkBrought = checker(brought)

/** @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr */
export const inputRequired: InputRequiredCodec = {
  decodeResult: checker(InputRequiredResult),
  encodeResult: ({ inputRequests, ...result }) => {
    const requests: Array<readonly [string, JsonObject]> = []
    for (const [key, request] of Object.entries(inputRequests ?? {})) {
      const params = encodeRequest(request)
      if (params instanceof Invalid) return params
      requests.push([key, { method: request.method, params }])
    }
    return {
      ...result,
      resultType: "input_required",
      ...(inputRequests === undefined ? undefined : { inputRequests: Object.fromEntries(requests) })
    }
  },
  decodeParams: (wire) => {
    const found = checkBrought(wire)
    if (found instanceof Invalid) return found
    const { inputResponses, requestState } = found
    return {
      ...(inputResponses === undefined ? undefined : { inputResponses }),
      ...(requestState === undefined ? undefined : { requestState })
    }
  },
  encodeParams: (responses) => ({ ...responses })
}
