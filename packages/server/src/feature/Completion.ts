import { type CompleteParams, type CompleteResult, limits, quote, RpcError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"
import type { Completer, Completers, Completion } from "../Completer.ts"
import type { Chapter, Failure, Settings } from "../Core.ts"
import { answered } from "../outcome.ts"
import type { Prompt } from "../Prompt.ts"
import type { Resource } from "../Resource.ts"
import type { ResourceTemplate } from "../ResourceTemplate.ts"
import { byName, withSeen } from "./list.ts"

const isList = (said: ReadonlyArray<string> | Completion): said is ReadonlyArray<string> => Array.isArray(said)

/** At most 100 values; what is more is only counted. */
const toResult = (said: ReadonlyArray<string> | Completion): CompleteResult => {
  const completion: Completion = isList(said) ? { values: said, total: said.length } : said
  const { values } = completion
  if (values.length <= limits.completions)
    return { completion: isList(said) ? { ...completion, hasMore: false } : completion }
  return {
    completion: { total: values.length, ...completion, values: values.slice(0, limits.completions), hasMore: true }
  }
}

const matching = (values: ReadonlyArray<string>, typed: string): ReadonlyArray<string> => {
  const beginning = typed.toLowerCase()
  return values.filter((value) => value.toLowerCase().startsWith(beginning))
}

const run = <R>(
  completer: Completer<R> | undefined,
  { argument: { name, value }, context }: CompleteParams
): Effect.Effect<CompleteResult, Failure, R> => {
  if (completer === undefined) return Effect.succeed({ completion: { values: [] } })
  if (typeof completer !== "function") return Effect.succeed(toResult(matching(completer, value)))
  return answered(
    `Completing ${quote(name)}`,
    Effect.map(
      Effect.suspend(() => completer(value, context?.arguments ?? {})),
      toResult
    )
  )
}

/** What can be completed: some arguments have a completer, of the others nothing is known. */
interface Target<R> {
  readonly complete: Completers<R>
  readonly names: ReadonlyArray<string>
}

/**
 * Completion of what prompts and templates of resources are filled in with.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 */
export const chapter = <R>(
  prompts: ReadonlyArray<Prompt<R>>,
  resources: ReadonlyArray<Resource<R>>,
  templates: ReadonlyArray<ResourceTemplate<R>>,
  settings: Settings<R>
): Chapter<R> => {
  const byPrompt = byName(prompts, "name")
  const byUri = byName(resources, "URI", ({ uri }) => uri)
  const byTemplate = byName(templates, "URI template", ({ template }) => template.text)
  const complete = (
    target: Target<R> | undefined,
    params: CompleteParams
  ): Effect.Effect<CompleteResult, Failure, R | Call> => {
    const { argument, ref } = params
    if (target === undefined)
      return Effect.fail(RpcError.invalidParams(`Unknown reference: ${quote("name" in ref ? ref.name : ref.uri)}`))
    if (!target.names.includes(argument.name))
      return Effect.fail(RpcError.invalidParams(`Unknown argument: ${quote(argument.name)}`))
    return run(Object.hasOwn(target.complete, argument.name) ? target.complete[argument.name] : undefined, params)
  }
  return {
    capabilities: { completions: {} },
    operations: {
      "completion/complete": (params) => {
        const { ref } = params
        if (ref.type === "ref/prompt") {
          return withSeen(settings, byPrompt.get(ref.name), (prompt) =>
            complete(prompt && { complete: prompt.complete, names: prompt.argumentNames }, params)
          )
        }
        const template = byTemplate.get(ref.uri)
        if (template === undefined) {
          // a resource has nothing that could be completed, but it is there
          return withSeen(settings, byUri.get(ref.uri), (resource) =>
            complete(resource && { complete: {}, names: [params.argument.name] }, params)
          )
        }
        return withSeen(settings, template, (found) =>
          complete(found && { complete: found.complete, names: found.template.variables }, params)
        )
      }
    }
  }
}
