import * as Effect from "effect/Effect"
import { type CallError, NotOffered } from "../ClientError.ts"
import type { Method, Methods } from "../Methods.ts"
import type { RequestOptions } from "../Session.ts"
import type { Member } from "./Member.ts"
import { join, joinUri, split } from "./names.ts"

type ListMethod = "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list"

/** What a list of one server is in the group: its entries with the names that they have there. */
type Renamed = {
  readonly [M in ListMethod]: {
    readonly capability: "tools" | "prompts" | "resources"
    readonly rename: (key: string, result: Methods[M]["result"]) => Methods[M]["result"]
  }
}

const lists: Renamed = {
  "tools/list": {
    capability: "tools",
    rename: (key, result) => ({
      ...result,
      tools: result.tools.map((tool) => ({ ...tool, name: join(key, tool.name) }))
    })
  },
  "prompts/list": {
    capability: "prompts",
    rename: (key, result) => ({
      ...result,
      prompts: result.prompts.map((prompt) => ({ ...prompt, name: join(key, prompt.name) }))
    })
  },
  "resources/list": {
    capability: "resources",
    rename: (key, result) => ({
      ...result,
      resources: result.resources.map((resource) => ({ ...resource, uri: joinUri(key, resource.uri) }))
    })
  },
  "resources/templates/list": {
    capability: "resources",
    rename: (key, result) => ({
      ...result,
      resourceTemplates: result.resourceTemplates.map((template) => ({
        ...template,
        uriTemplate: joinUri(key, template.uriTemplate)
      }))
    })
  }
}

export const isList = (method: Method): method is ListMethod => Object.hasOwn(lists, method)

/**
 * One page of a list of the group: the pages of its first server, then those of the next. A cursor names the server that
 * it belongs to.
 */
export const listPage = <M extends ListMethod>(
  members: ReadonlyArray<Member>,
  method: M,
  params: Methods[M]["params"],
  options: RequestOptions | undefined
): Effect.Effect<Methods[M]["result"], CallError> => {
  const { capability, rename } = lists[method]
  const able = members.filter(({ session }) => session.capabilities[capability] !== undefined)
  const from = params.cursor === undefined ? { key: able[0]?.key, rest: "" } : split(params.cursor)
  const index = able.findIndex(({ key }) => key === from?.key)
  const member = able[index]
  if (member === undefined || from === undefined) return Effect.fail(new NotOffered({ capability }))
  const cursor = from.rest === "" ? {} : { cursor: from.rest.slice(1) }
  return Effect.map(member.session.request(method, cursor, options), (result) => {
    const { nextCursor, ...page } = rename(member.key, result)
    const following = able[index + 1]
    const next = nextCursor === undefined ? following && join(following.key, "") : join(member.key, `=${nextCursor}`)
    return (next === undefined ? page : { ...page, nextCursor: next }) as Methods[M]["result"] // cast: but for its cursor
  })
}
