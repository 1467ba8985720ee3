import type { CacheHints, ReadResourceResult } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Call } from "../Call.ts"
import type { Chapter, Failure, Offer, Settings } from "../Core.ts"
import { InputRequired } from "../InputRequired.ts"
import type { Resource } from "../Resource.ts"
import { ResourceNotFound } from "../ResourceNotFound.ts"
import type { ResourceTemplate } from "../ResourceTemplate.ts"
import { byName, list } from "./list.ts"

/** Characters of a URI that is not matched at once. */
const LONG = 256

/**
 * The resources of a server. A fixed one comes before a template; of several templates the first that the URI fits, and
 * that the caller may see, is the one.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export const chapter = <R>(
  resources: ReadonlyArray<Resource<R>>,
  templates: ReadonlyArray<ResourceTemplate<R>>,
  settings: Settings<R>
): Chapter<R> & Pick<Offer<R>, "readable"> => {
  const { hintsOf, visible } = settings
  const fixed = byName(resources, "URI", ({ uri }) => uri)
  byName(templates, "URI template", ({ template }) => template.text)
  const hints = hintsOf("resources/read")
  const resourcePages = list(
    resources,
    (resource) => resource.describe(),
    settings,
    hintsOf("resources/list"),
    ({ uri }) => uri
  )
  const templatePages = list(
    templates,
    (template) => template.describe(),
    settings,
    hintsOf("resources/templates/list"),
    ({ template }) => template.text
  )
  type Reading = Effect.Effect<ReadResourceResult | InputRequired, Failure, R | Call>
  const find = (uri: string, sees: (feature: Resource<R> | ResourceTemplate<R>) => boolean): Reading | undefined => {
    const resource = fixed.get(uri)
    if (resource !== undefined && sees(resource)) return resource.read
    for (const template of templates) {
      const reading = sees(template) ? template.read(uri) : undefined
      if (reading !== undefined) return reading
    }
    return undefined
  }
  // whether there is one depends on who asks, whatever its author says of what it holds
  const whose: CacheHints = visible === undefined ? {} : { cacheScope: "private" }
  const seeing = visible ?? Effect.succeed(() => true)
  const reading = (uri: string): Effect.Effect<Reading | undefined, never, R> =>
    Effect.map(seeing, (sees) => find(uri, sees))
  return {
    readable: (uris) =>
      Effect.flatMap(seeing, (sees) =>
        Effect.filter(uris, (uri) => {
          const isThere = Effect.sync(() => find(uri, sees) !== undefined)
          // matching a long one takes a while: others get their turns in between
          return uri.length > LONG ? Effect.andThen(Effect.yieldNow, isThere) : isThere
        })
      ),
    capabilities: { resources: {} },
    operations: {
      "resources/list": ({ cursor }) =>
        Effect.map(resourcePages(cursor), ({ items, ...rest }) => ({ resources: items, ...rest })),
      "resources/templates/list": ({ cursor }) =>
        Effect.map(templatePages(cursor), ({ items, ...rest }) => ({ resourceTemplates: items, ...rest })),
      "resources/read": ({ uri }) =>
        Effect.flatMap(reading(uri), (found) =>
          found === undefined
            ? Effect.fail(new ResourceNotFound({ uri }))
            : Effect.map(found, (result) =>
                result instanceof InputRequired ? result : { ...hints, ...result, ...whose }
              )
        )
    }
  }
}
