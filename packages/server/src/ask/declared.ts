import { type ClientCapabilities, type InputRequest, JsonRpc } from "@effective-mcp/protocol"

/** A part of a capability; none, as an older client writes it, where the capability itself is missing. */
const partOf = (declared: unknown, part: string): JsonRpc.JsonObject | undefined => {
  if (!JsonRpc.isObject(declared)) return { [part]: {} }
  return JsonRpc.isObject(declared[part]) ? undefined : { [part]: {} }
}

/** A client that names no mode can be asked with forms. */
const lacksForms = (elicitation: unknown): JsonRpc.JsonObject | undefined => {
  if (!JsonRpc.isObject(elicitation)) return {}
  const { form, url } = elicitation
  return JsonRpc.isObject(form) || (form === undefined && url === undefined) ? undefined : { form: {} }
}

/** What a client would have to declare, beside what it has declared, to be asked one question. */
const lacking = (
  { method, params }: InputRequest,
  declared: ClientCapabilities
): readonly ["elicitation" | "roots" | "sampling", JsonRpc.JsonObject | undefined] => {
  switch (method) {
    case "elicitation/create": {
      const { elicitation } = declared
      return ["elicitation", params.mode === "url" ? partOf(elicitation, "url") : lacksForms(elicitation)]
    }
    case "sampling/createMessage": {
      const { sampling } = declared
      if (params.tools !== undefined || params.toolChoice !== undefined) return ["sampling", partOf(sampling, "tools")]
      return ["sampling", JsonRpc.isObject(sampling) ? undefined : {}]
    }
    case "roots/list":
      return ["roots", JsonRpc.isObject(declared.roots) ? undefined : {}]
  }
}

/** What a client lacks to be asked some questions; undefined when it can be asked them all. */
export const missing = (
  requests: ReadonlyArray<InputRequest>,
  declared: ClientCapabilities
): ClientCapabilities | undefined => {
  const required: { [name: string]: JsonRpc.JsonObject } = {}
  for (const request of requests) {
    const [name, part] = lacking(request, declared)
    if (part !== undefined) required[name] = { ...required[name], ...part }
  }
  return Object.keys(required).length === 0 ? undefined : required
}

/** Whether a client can be asked anything at all. */
export const isAskable = ({ elicitation, roots, sampling }: ClientCapabilities): boolean =>
  JsonRpc.isObject(elicitation) || JsonRpc.isObject(roots) || JsonRpc.isObject(sampling)
