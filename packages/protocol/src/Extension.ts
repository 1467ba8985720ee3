import * as JsonRpc from "./JsonRpc.ts"
import { legacy, modern } from "./revision/registry.ts"

// a label begins with a letter and ends with a letter or a digit; the name begins and ends with either
const ID =
  /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+\/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/

/**
 * Refuses what is no id of an extension: a reverse domain name, a slash, and a name. A mistake of the author: it throws.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning#extension-negotiation
 */
export const requireId = (id: string): void => {
  if (typeof id !== "string" || !ID.test(id)) throw new Error(`not the id of an extension: ${JSON.stringify(id)}`)
}

/** Refuses settings that are no object, in the same way. */
export const requireSettings = (id: string, settings: unknown): void => {
  if (!JsonRpc.isObject(settings)) throw new Error(`the settings of the extension ${id} are no object`)
}

/** Whether a method is one of the protocol's, in any revision and either direction. */
const isOwn = (method: string): boolean =>
  [...modern, ...legacy].some(
    ({ methods, openings, questions }) =>
      Object.hasOwn(methods, method) || Object.hasOwn(openings, method) || Object.hasOwn(questions, method)
  )

/** Refuses a method that is no extension's to have, in the same way: the protocol's own, and names that it keeps. */
export const requireMethod = (id: string, method: string): void => {
  const isName = typeof method === "string" && method !== ""
  if (!isName || method.startsWith("notifications/") || method.startsWith("rpc.") || isOwn(method))
    throw new Error(`the extension ${id} cannot have a method of this name: ${JSON.stringify(method)}`)
}

/**
 * What one side has declared of an extension: its settings, undefined when it does not name it. Of what a peer says only an
 * object counts, as its schema has it.
 */
export const settingsOf = (
  { extensions }: { readonly extensions?: unknown },
  id: string
): JsonRpc.JsonObject | undefined => {
  if (!JsonRpc.isObject(extensions) || !Object.hasOwn(extensions, id)) return undefined
  const settings = extensions[id]
  return JsonRpc.isObject(settings) ? settings : undefined
}
