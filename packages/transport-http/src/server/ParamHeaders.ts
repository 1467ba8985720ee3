import { type HttpRequest, identityOf, principalOf } from "@effective-mcp/http"
import { answer, HeaderName, type HeaderParams, type Host, JsonRpc, limits, Meta } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { Annotated, charsOf, makeRoom, type Params as Headers } from "../remembered.ts"

/** One argument of a tool that a header repeats. */
export type ParamHeader = HeaderParams.HeaderParam

/** How soon a list is asked for again because of a call of the same caller, in ms, and how many callers are told apart. */
const AGAIN_MS = 1_000
const CALLERS = 1_000

const none: ReadonlyArray<ParamHeader> = []

/** Annotations stand only where `properties` alone lead to them. */
const collect = (schema: unknown, path: ReadonlyArray<string>, found: Array<ParamHeader>): void => {
  if (!JsonRpc.isObject(schema) || path.length > limits.depth) return
  const name = schema["x-mcp-header"]
  if (typeof name === "string" && path.length > 0 && HeaderName.isToken(name)) {
    found.push({ header: HeaderName.ofParam(name), path })
  }
  if (!JsonRpc.isObject(schema.properties)) return
  for (const [key, property] of Object.entries(schema.properties)) collect(property, [...path, key], found)
}

/** Schemas that were read before: a server says the same ones again and again. */
const read = new WeakMap<object, ReadonlyArray<ParamHeader>>()

/** The headers that a tool's input schema asks for. */
export const ofSchema = (inputSchema: unknown): ReadonlyArray<ParamHeader> => {
  if (!JsonRpc.isObject(inputSchema)) return none
  const before = read.get(inputSchema)
  if (before !== undefined) return before
  const found: Array<ParamHeader> = []
  collect(inputSchema, [], found)
  const headers = found.length === 0 ? none : found
  read.set(inputSchema, headers)
  return headers
}

type Params = JsonRpc.JsonObject | undefined

const withCursor = (params: Params, cursor: unknown): JsonRpc.JsonObject => {
  const { progressToken: _mute, ...meta } = Meta.of(params)
  return cursor === undefined ? { _meta: meta } : { cursor, _meta: meta }
}

/** Who asks, as far as the wire tells: another caller may see other tools. */
interface Caller {
  readonly name: string
  /** Whether nobody else has that name: without a principal, a list may vary by what only its maker knows of. */
  readonly isSure: boolean
}

const callerOf = (http: HttpRequest): Effect.Effect<Caller> =>
  Effect.withFiber((fiber) => {
    const principal = principalOf(fiber)
    return Effect.succeed(
      principal === undefined
        ? { name: http.header("authorization") ?? "", isSure: false }
        : { name: identityOf(principal), isSure: true }
    )
  })

/** What a caller was told of the list: when, and which of its tools have such headers; undefined where not all was told. */
interface Asked {
  readonly at: number
  readonly sees: ReadonlySet<string> | undefined
  /** Whether there were more of them than are kept in mind. */
  readonly isMany: boolean
}

/** What one reading of the list is for. */
interface Search {
  readonly tool: string
  readonly sees: Set<string>
  /** The headers of that tool, once it has come. */
  found: Headers | undefined
}

/** Characters of a tool that is remembered by itself. */
const CALLED = limits.learnedChars / limits.calledTools

/**
 * Learns from a host's tools which arguments headers repeat: from the lists that clients are given, and by asking for
 * one when a tool is called that no list has named, or that was forgotten: a host may name others again and again.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
 */
export const make = <R>(host: Host<R>) => {
  const tools = new Annotated()
  /** Names of tools without such arguments, the oldest first. */
  const plain = new Set<string>()
  /** Tools with such arguments that were called when they were forgotten. */
  const called = new Map<string, Headers>()
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
  const asked = new Map<string, Asked>()

  const of = (tool: string): Headers | undefined =>
    tools.of(tool) ?? called.get(tool) ?? (plain.has(tool) ? none : undefined)
  const note = (name: string, headers: Headers): void => {
    plain.delete(name)
    if (called.delete(name)) recall(name, headers)
    if (headers.length > 0) return void tools.add(name, headers)
    tools.drop(name)
    if (name.length > limits.forgottenToolLength) return
    makeRoom(plain, limits.forgottenTools)
    plain.add(name)
  }
  const recall = (name: string, headers: Headers): void => {
    if (headers.length === 0 || charsOf(name, headers) > CALLED) return
    makeRoom(called, limits.calledTools)
    called.set(name, headers)
  }
  const learn = (response: JsonRpc.Response, search?: Search): void => {
    if (!JsonRpc.isSuccess(response) || !Array.isArray(response.result.tools)) return
    for (const tool of response.result.tools) {
      if (!JsonRpc.isObject(tool) || typeof tool.name !== "string") continue
      const headers = ofSchema(tool.inputSchema)
      note(tool.name, headers)
      if (search === undefined) continue
      if (tool.name === search.tool) search.found = headers
      if (headers.length > 0 && search.sees.size <= limits.learnedTools) search.sees.add(tool.name)
    }
  }
  /** How much of its list the host has given. */
  const page = (
    params: Params,
    left: number,
    search: Search,
    cursor?: unknown
  ): Effect.Effect<"all" | "some" | "refused", never, R> =>
    Effect.flatMap(
      answer(host.modern, JsonRpc.request("tools", "tools/list", withCursor(params, cursor)), () => Effect.void),
      (response) => {
        learn(response, search)
        if (!JsonRpc.isSuccess(response)) return Effect.succeed("refused")
        const next = response.result.nextCursor
        if (typeof next !== "string") return Effect.succeed("all")
        return left > 1 ? page(params, left - 1, search, next) : Effect.succeed("some")
      }
    )
  return {
    learn: (response: JsonRpc.Response): void => learn(response),
    /** Forgets all: the list is not what it was. */
    expire: (): void => {
      for (const each of [asked, tools, plain, called]) each.clear()
    },
    of,
    /**
     * Asks the host for its list, as a request would, unless its caller did so a moment ago and got it: what one may see
     * says nothing of what another may. Who comes while it is being asked waits for the answer.
     *
     * @param isWrong whether the call disagrees with these headers
     * @returns the tool's headers; undefined where the caller may not know of them. They are given where the list does not
     * tell: who is refused it gets around no check by that.
     */
    refresh: (
      tool: string,
      params: Params,
      http: HttpRequest,
      isWrong: (headers: Headers) => boolean
    ): Effect.Effect<Headers | undefined, never, R> =>
      oneAtATime(
        Effect.flatMap(Effect.all([Clock.currentTimeMillis, callerOf(http)]), ([now, caller]) => {
          const { isSure, name } = caller
          const before = asked.get(name)
          if (before !== undefined && now - before.at < AGAIN_MS) {
            const known = of(tool)
            const isHidden = before.sees?.has(tool) === false
            // a check is left out only for who was not told of the tool, which may have been somebody else
            if (isHidden && (isSure || !isWrong(known ?? none))) return Effect.undefined
            const isForgotten = known === undefined && (before.isMany || before.sees !== undefined)
            if (!isHidden && !isForgotten) return Effect.succeed(known ?? none)
          }
          const search: Search = { tool, sees: new Set(), found: undefined }
          return Effect.map(page(params, limits.pages, search), (told) => {
            const { found, sees } = search
            const isMany = sees.size > limits.learnedTools
            // a list that was refused has taught nothing
            if (told === "refused") asked.delete(name)
            else {
              if (asked.size >= CALLERS) asked.clear()
              asked.set(name, { at: now, sees: told === "all" && !isMany ? sees : undefined, isMany })
            }
            if (found !== undefined && of(tool) === undefined) recall(tool, found)
            return told === "all" ? found : (found ?? of(tool) ?? none)
          })
        })
      )
  }
}

export type Learned<R> = ReturnType<typeof make<R>>
