import { type HttpRequest, identityOf, principalOf } from "@effective-mcp/http"
import { answer, HeaderName, type HeaderParams, type Host, JsonRpc, limits, Meta } from "@effective-mcp/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"

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
}

/**
 * Learns from a host's tools which arguments headers repeat: from the lists that clients are given, and by asking for
 * one when a tool is called that no list has named.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
 */
export const make = <R>(host: Host<R>) => {
  const tools = new Map<string, ReadonlyArray<ParamHeader>>()
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
  const asked = new Map<string, Asked>()

  const learn = (response: JsonRpc.Response, sees?: Set<string>): void => {
    if (!JsonRpc.isSuccess(response) || !Array.isArray(response.result.tools)) return
    for (const tool of response.result.tools) {
      if (!JsonRpc.isObject(tool) || typeof tool.name !== "string") continue
      const headers = ofSchema(tool.inputSchema)
      tools.set(tool.name, headers)
      if (headers.length > 0) sees?.add(tool.name)
    }
  }
  /** How much of its list the host has given. */
  const page = (
    params: Params,
    left: number,
    sees: Set<string>,
    cursor?: unknown
  ): Effect.Effect<"all" | "some" | "refused", never, R> =>
    Effect.flatMap(
      answer(host.modern, JsonRpc.request("tools", "tools/list", withCursor(params, cursor)), () => Effect.void),
      (response) => {
        learn(response, sees)
        if (!JsonRpc.isSuccess(response)) return Effect.succeed("refused")
        const next = response.result.nextCursor
        if (typeof next !== "string") return Effect.succeed("all")
        return left > 1 ? page(params, left - 1, sees, next) : Effect.succeed("some")
      }
    )
  return {
    learn: (response: JsonRpc.Response): void => learn(response),
    /** Forgets all: the list is not what it was. */
    expire: (): void => {
      asked.clear()
      tools.clear()
    },
    of: (tool: string) => tools.get(tool),
    /**
     * Asks the host for its list, as a request would, unless its caller did so a moment ago and got it: what one may see
     * says nothing of what another may. Who comes while it is being asked waits for the answer.
     *
     * @param isWrong whether the call disagrees with what is known by then
     * @returns whether the caller may know of the tool's headers. True where the list does not tell: who is refused it
     * gets around no check by that.
     */
    refresh: (
      tool: string,
      params: Params,
      http: HttpRequest,
      isWrong: () => boolean
    ): Effect.Effect<boolean, never, R> =>
      oneAtATime(
        Effect.flatMap(Effect.all([Clock.currentTimeMillis, callerOf(http)]), ([now, caller]) => {
          const { isSure, name } = caller
          const before = asked.get(name)
          if (before !== undefined && now - before.at < AGAIN_MS) {
            const isSeen = before.sees?.has(tool) !== false
            // a check is left out only for who was not told of the tool, which may have been somebody else
            if (isSeen || isSure || !isWrong()) return Effect.succeed(isSeen)
          }
          const sees = new Set<string>()
          return Effect.map(page(params, limits.pages, sees), (told) => {
            // a list that was refused has taught nothing
            if (told === "refused") asked.delete(name)
            else {
              if (asked.size >= CALLERS) asked.clear()
              asked.set(name, { at: now, sees: told === "all" ? sees : undefined })
            }
            return told !== "all" || sees.has(tool)
          })
        })
      )
  }
}

export type Learned<R> = ReturnType<typeof make<R>>
