import type { ServerCapabilities } from "@effective-mcp/protocol"
import type { Chapter, Offer, Settings } from "./Core.ts"
import type { ExtensionMethod, Extension } from "./Extension.ts"
import { type Feature, ofKind } from "./Feature.ts"
import { chapter as completion } from "./feature/Completion.ts"
import { chapter as prompts } from "./feature/Prompts.ts"
import { chapter as resources } from "./feature/Resources.ts"
import { chapter as tools } from "./feature/Tools.ts"

/** What may change, and so is told of: the lists of a server, and what its resources hold. */
export interface Changing {
  readonly lists: boolean
  readonly resources: boolean
  /** Whether features of any kind may come. */
  readonly kinds: boolean
}

const withChanges = (capabilities: ServerCapabilities, { lists, resources }: Changing): ServerCapabilities => {
  const list = lists ? { listChanged: true } : {}
  return {
    ...capabilities,
    ...(capabilities.tools && { tools: list }),
    ...(capabilities.resources && { resources: { ...list, ...(resources ? { subscribe: true } : undefined) } }),
    ...(capabilities.prompts && { prompts: list })
  }
}

const methodsOf = (extensions: ReadonlyArray<Extension<unknown>>): ReadonlyMap<string, ExtensionMethod<unknown>> => {
  const all = new Map<string, ExtensionMethod<unknown>>()
  for (const extension of extensions) {
    for (const [name, method] of Object.entries(extension.methods)) {
      if (all.has(name)) throw new Error(`two extensions have a method of the same name: ${JSON.stringify(name)}`)
      all.set(name, method)
    }
  }
  return all
}

/** All that some features make: the chapters that they are of, and no others. */
export const offerOf = (
  features: ReadonlyArray<Feature<unknown>>,
  settings: Settings<unknown>,
  changing: Changing
): Offer<unknown> => {
  const of = {
    tools: ofKind(features, "tool"),
    resources: ofKind(features, "resource"),
    templates: ofKind(features, "template"),
    prompts: ofKind(features, "prompt"),
    extensions: ofKind(features, "extension")
  }
  const reading = resources(of.resources, of.templates, settings)
  const completes = [...of.prompts, ...of.templates].some(({ complete }) => Object.keys(complete).length > 0)
  const chapters: ReadonlyArray<readonly [isThere: boolean, chapter: () => Chapter<unknown>]> = [
    [of.tools.length > 0, () => tools(of.tools, settings)],
    [of.resources.length + of.templates.length > 0, () => reading],
    [of.prompts.length > 0, () => prompts(of.prompts, settings)],
    [completes, () => completion(of.prompts, of.resources, of.templates, settings)]
  ]
  const made = chapters.flatMap(([isThere, chapter]) => (isThere || changing.kinds ? [chapter()] : []))
  const ids = of.extensions.map(({ name }) => name)
  const repeated = ids.find((id, at) => ids.indexOf(id) !== at)
  if (repeated !== undefined) throw new Error(`two extensions have the same id: ${JSON.stringify(repeated)}`)
  const capabilities = Object.assign({}, ...made.map((chapter) => chapter.capabilities)) as ServerCapabilities // cast: of nothing but capabilities
  return {
    capabilities: {
      ...withChanges(capabilities, changing),
      ...(ids.length === 0
        ? undefined
        : { extensions: Object.fromEntries(of.extensions.map(({ name, settings }) => [name, settings])) })
    },
    operations: Object.fromEntries(made.flatMap(({ operations }) => Object.entries(operations))),
    methods: methodsOf(of.extensions),
    readable: reading.readable
  }
}

/** The last of several features of one name, in its place: in a changing set that is how one is replaced. */
export const lastOf = (features: ReadonlyArray<Feature<unknown>>): ReadonlyArray<Feature<unknown>> => {
  const nameOf = (feature: Feature<unknown>): string =>
    feature.kind === "resource" ? feature.uri : feature.kind === "template" ? feature.template.text : feature.name
  return [...new Map(features.map((feature) => [`${feature.kind} ${nameOf(feature)}`, feature])).values()]
}
