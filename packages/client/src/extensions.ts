import { type ClientCapabilities, Extension, type JsonRpc } from "@effective-mcp/protocol"

/** Extensions by their ids, each with its settings. */
export type Extensions = { readonly [id: string]: JsonRpc.JsonObject }

/** Those that have a server answer the protocol's own methods with results of other types: who says that it knows them has to. */
const withResults: ReadonlySet<string> = new Set(["io.modelcontextprotocol/tasks"])

/**
 * What a client says of the extensions that it has. An id of another form, settings that are no object, and an extension whose
 * results nobody here would understand are mistakes of the author: it throws.
 */
export const extensionsOf = (extensions: Extensions = {}): Pick<ClientCapabilities, "extensions"> => {
  const all = Object.entries(extensions)
  for (const [id, settings] of all) {
    Extension.requireId(id)
    Extension.requireSettings(id, settings)
    if (withResults.has(id))
      throw new Error(`the extension ${id} adds types of results that this client does not have: it cannot be declared`)
  }
  return all.length === 0 ? {} : { extensions: Object.fromEntries(all) }
}
