import { type InputRequest, type InputResponses, type JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { AskError } from "../AskError.ts"
import { canonical } from "./canonical.ts"
import { end, type Ending } from "./endable.ts"
import type { Put, Way } from "./questions.ts"

/** An answer, and the question that it belongs to; any question of its key, when it came without a state. */
interface Given {
  readonly to?: string
  readonly result: JsonRpc.JsonObject
}

/** What a call has been told in its rounds, as it travels in `requestState`. */
export interface Told {
  /** How often the call has ended with questions. */
  readonly rounds: number
  /** The questions of the last round. */
  readonly asked: { readonly [key: string]: string }
  readonly given: { readonly [key: string]: Given }
  /** The state of a handler that runs its rounds itself. */
  readonly own?: string
}

const nothing: Told = { rounds: 0, asked: {}, given: {} }

/** What an answer belongs to beside its key: a person has answered that form and no other. */
const identify = ({ method, params }: InputRequest): string =>
  method === "elicitation/create" && params.mode !== "url" ? canonical([params.message, params.requestedSchema]) : ""

/** The rounds of one call, as one of its requests finds them. */
export interface Rounds extends Pick<Way, "put"> {
  /** What was answered to the questions of the last round; all that came, when it came without a state. */
  readonly brought: { readonly [key: string]: JsonRpc.JsonObject }
  /** What is to be asked now. */
  readonly open: ReadonlyMap<string, InputRequest>
  /** What the next round has to know, if it is to bring answers to some questions. */
  readonly next: (requests: { readonly [key: string]: InputRequest }, own: string | undefined) => Told
}

/**
 * @param told what the request's state says; undefined when it has none
 * @param ending ends the handler that asks what has no answer yet
 * @param most how often the call may end with questions
 */
export const make = (
  told: Told | undefined,
  { inputResponses = {} }: InputResponses,
  ending: Ending,
  most: number
): Rounds => {
  const { asked, given, rounds } = told ?? nothing
  const open = new Map<string, InputRequest>()
  const taken = new Set<string>()
  const brought = Object.entries(inputResponses).filter(([key]) => told === undefined || Object.hasOwn(asked, key))
  const known = new Map<string, Given>(Object.entries(given))
  for (const [key, result] of brought) known.set(key, told === undefined ? { result } : { to: asked[key]!, result })

  /** A key that is asked again is another question. */
  const take = (key: string): string => {
    let name = key
    for (let n = 2; taken.has(name); n++) name = `${key}#${n}`
    taken.add(name)
    return name
  }
  const find = (key: string, to: string): JsonRpc.JsonObject | undefined => {
    const found = known.get(key)
    if (found === undefined || (found.to !== undefined && found.to !== to)) return undefined
    known.set(key, { to, result: found.result })
    return found.result
  }
  const put = (puts: ReadonlyArray<Put>): Effect.Effect<ReadonlyArray<JsonRpc.JsonObject>, AskError> =>
    Effect.suspend(() => {
      const results: Array<JsonRpc.JsonObject> = []
      const unanswered: Array<readonly [string, InputRequest]> = []
      for (const { key, request } of puts) {
        const name = take(key)
        const result = find(name, identify(request))
        if (result === undefined) unanswered.push([name, request])
        else results.push(result)
      }
      if (unanswered.length === 0) return Effect.succeed(results)
      if (rounds >= most) return Effect.fail(new AskError({ reason: { _tag: "TooManyRounds", limit: most } }))
      for (const [name, request] of unanswered) open.set(name, request)
      return end(ending)
    })
  return {
    put,
    open,
    brought: Object.fromEntries(brought),
    next: (requests, own) => ({
      rounds: rounds + 1,
      asked: Object.fromEntries(Object.entries(requests).map(([key, request]) => [key, identify(request)])),
      given: Object.fromEntries([...known].filter(([, { to }]) => to !== undefined)),
      ...(own === undefined ? undefined : { own })
    })
  }
}
