import { clip, type ResourceParams, type ServerCapabilities } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { type CallError, NotOffered } from "./ClientError.ts"
import { isList, listPage } from "./group/lists.ts"
import type { Member } from "./group/Member.ts"
import { hubOf } from "./group/hubOf.ts"
import { watchOf } from "./group/watchOf.ts"
import { inContent, inContents, requireKeys, type Split, split, splitUri } from "./group/names.ts"
import type { Method, Methods } from "./Methods.ts"
import type { Send } from "./Send.ts"
import type { RequestOptions, SessionLike } from "./Session.ts"

/** Several servers as one: what features such as `Tools` work on. */
export interface Group extends SessionLike {}

interface Route<M extends Method> {
  /** Whose it is, and what its own server calls it. */
  readonly to: (params: Methods[M]["params"]) => Split | undefined
  readonly params: (params: Methods[M]["params"], name: string) => Methods[M]["params"]
  readonly result: (key: string, result: Methods[M]["result"]) => Methods[M]["result"]
}

const same = <A>(_key: string, result: A): A => result

const ofUri = {
  to: ({ uri }: ResourceParams) => splitUri(uri),
  params: (params: ResourceParams, uri: string) => ({ ...params, uri }),
  result: same
}

const routes: { readonly [M in Method]?: Route<M> } = {
  "tools/call": {
    to: ({ name }) => split(name),
    params: (params, name) => ({ ...params, name }),
    result: (key, result) => ({ ...result, content: result.content.map((content) => inContent(key, content)) })
  },
  "prompts/get": {
    to: ({ name }) => split(name),
    params: (params, name) => ({ ...params, name }),
    result: (key, result) => ({
      ...result,
      messages: result.messages.map((message) => ({ ...message, content: inContent(key, message.content) }))
    })
  },
  "resources/read": {
    to: ({ uri }) => splitUri(uri),
    params: (params, uri) => ({ ...params, uri }),
    result: (key, result) => ({ ...result, contents: result.contents.map((contents) => inContents(key, contents)) })
  },
  "resources/subscribe": ofUri,
  "resources/unsubscribe": ofUri,
  "completion/complete": {
    to: ({ ref }) => (ref.type === "ref/prompt" ? split(ref.name) : splitUri(ref.uri)),
    params: (params, name) => ({
      ...params,
      ref: params.ref.type === "ref/prompt" ? { ...params.ref, name } : { ...params.ref, uri: name }
    }),
    result: same
  }
}

const capabilitiesOf = (members: ReadonlyArray<Member>): ServerCapabilities => {
  const names = ["tools", "prompts", "resources", "completions", "logging"] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const offered = members.flatMap(({ session }) => session.capabilities[name] ?? [])
      const flags = offered.flatMap((one) => Object.entries(one ?? {}).filter(([, value]) => value === true))
      return offered.length === 0 ? [] : [[name, Object.fromEntries(flags)]]
    })
  )
}

/**
 * Makes one of several servers, without ever mixing up whose is what: tools and prompts are called `key_name`, resources
 * `key+uri`, also where a result links to them. Lists go through the servers in the order in which they are given.
 *
 * A key has up to 32 letters, digits and "-", a letter first; one that is not, and two that differ in case alone, throw.
 */
export const make = (servers: { readonly [key: string]: SessionLike }): Group => {
  const members = Object.entries(servers).map(([key, session]): Member => ({ key, session }))
  requireKeys(members.map(({ key }) => key))

  const routed = <M extends Method>(
    route: Route<M>,
    method: M,
    params: Methods[M]["params"],
    options: RequestOptions | undefined
  ): Effect.Effect<Methods[M]["result"], CallError> => {
    const to = route.to(params)
    const member = members.find(({ key }) => key === to?.key)
    if (member === undefined || to === undefined) {
      return Effect.fail(new NotOffered({ capability: `${method} of a server ${clip(to?.key ?? "without a key")}` }))
    }
    const sent = member.session.request(method, route.params(params, to.rest), options)
    return Effect.map(sent, (result) => route.result(member.key, result))
  }
  const request: Send = <M extends Method>(method: M, params: Methods[M]["params"], options?: RequestOptions) => {
    if (isList(method)) {
      return listPage(members, method, params as Methods[typeof method]["params"], options) // cast: the params of the method
    }
    if (method === "logging/setLevel") {
      const able = members.filter(({ session }) => session.capabilities.logging !== undefined)
      return Effect.as(
        Effect.forEach(able, ({ session }) => session.request(method, params, options)),
        {}
      )
    }
    const route: Route<M> | undefined = routes[method]
    return route === undefined
      ? Effect.fail(new NotOffered({ capability: method }))
      : routed(route, method, params, options)
  }
  return {
    request,
    get capabilities() {
      return capabilitiesOf(members)
    },
    hub: hubOf(members),
    watch: watchOf(members)
  }
}
