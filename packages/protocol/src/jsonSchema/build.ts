import { isObject, type JsonObject } from "../JsonRpc.ts"
import { defaultDialect, type Dialect, dialectOf, type Ranked } from "./dialect.ts"
import { Refused } from "./ecmaScript.ts"
import { patterns } from "./pattern.ts"
import { absolute, fragmentOf, makeResource, NOWHERE, type Resource, walk } from "./Resource.ts"
import type { Check } from "./Run.ts"
import { Fault, get, invalid, type Link, type Node, type Part, type Site } from "./Site.ts"
import { clip, place, printable, token } from "./words.ts"

export interface BuildOptions {
  readonly depth: number
  readonly subschemas: number
  /** Schemas that references may lead to, by URI. */
  readonly documents: { readonly [uri: string]: JsonObject | boolean }
}

const always: Check = (_value, run) => {
  run.spend(1)
  return true
}
const never: Check = (_value, run) => {
  run.spend(1)
  return run.fail("false", "must not be there")
}

const ANCHOR = /^[A-Za-z_][-\w.]*$/

/** The dialect that a schema names, if it names one. */
const dialectIn = (schema: JsonObject, at: string): Dialect | undefined => {
  const uri = Object.hasOwn(schema, "$schema") ? schema["$schema"] : undefined
  if (uri === undefined) return undefined
  if (typeof uri !== "string") throw new Fault({ _tag: "Invalid", at: place(`${at}/$schema`), detail: "must be a URI" })
  const dialect = dialectOf(uri)
  if (dialect === undefined) throw new Fault({ _tag: "UnknownDialect", dialect: printable(clip(uri, 128)) })
  return dialect
}

/** The parts that a schema's keywords ask for, each once, in the order of checking. */
const partsOf = (schema: JsonObject, table: ReadonlyMap<string, Ranked>): ReadonlyArray<Part> => {
  const found: Array<Ranked> = []
  for (const keyword of Object.keys(schema)) {
    const ranked = table.get(keyword)
    if (ranked !== undefined && !found.includes(ranked)) found.push(ranked)
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ part }) => part)
}

const asksForEvaluated = (schema: JsonObject): boolean =>
  Object.hasOwn(schema, "unevaluatedProperties") || Object.hasOwn(schema, "unevaluatedItems")

/** Reads a schema once and builds its check; what it refers to is read after it. */
class Builder {
  private readonly options: BuildOptions
  private readonly pattern = patterns()
  private readonly resources = new Map<string, Resource>()
  /** References that have not been followed yet. */
  private readonly open: Array<() => void> = []
  private subschemas = 0
  /** Whether checks keep the way they came: only dynamic references ask for it. */
  private isDynamic = false

  constructor(options: BuildOptions) {
    this.options = options
  }

  run(schema: unknown): Check {
    const node = this.document(schema, NOWHERE)
    for (let next = this.open.pop(); next !== undefined; next = this.open.pop()) next()
    return node.check
  }

  /** A schema that stands by itself. */
  private document(schema: unknown, uri: string): Node {
    if (!isObject(schema) && typeof schema !== "boolean")
      throw new Fault({ _tag: "Invalid", at: "#", detail: "must be a schema: an object, true or false" })
    const dialect = (isObject(schema) ? dialectIn(schema, "#") : undefined) ?? defaultDialect
    const resource = makeResource(uri, dialect, schema)
    this.resources.set(uri, resource)
    return this.schema(schema, resource, "#", 1)
  }

  private schema(schema: unknown, outer: Resource, at: string, depth: number): Node {
    this.expect(1)
    this.subschemas++
    if (depth > this.options.depth) throw new Fault({ _tag: "TooDeep", limit: this.options.depth })
    if (typeof schema === "boolean") return { check: schema ? always : never, scope: outer }
    if (!isObject(schema))
      throw new Fault({ _tag: "Invalid", at: place(at), detail: "must be a schema: an object, true or false" })
    const isAlone = outer.dialect.besideRef !== undefined && Object.hasOwn(schema, "$ref")
    const resource = isAlone ? outer : this.resourceOf(schema, outer, at)
    const checks: Array<Check> = []
    const node: Node = { check: this.whole(checks, resource, asksForEvaluated(schema)), scope: resource }
    resource.nodes.set(schema, node)
    outer.nodes.set(schema, node)
    const site = this.site(schema, resource, at, depth)
    if (!isAlone) this.name(site, node, resource)
    const { besideRef, parts } = resource.dialect
    for (const part of partsOf(schema, isAlone && besideRef !== undefined ? besideRef : parts)) {
      const check = part(site)
      if (check !== undefined) checks.push(check)
    }
    return node
  }

  private expect(subschemas: number): void {
    const limit = this.options.subschemas
    if (this.subschemas + subschemas > limit) throw new Fault({ _tag: "TooLarge", limit })
  }

  /** The resource that a schema opens by its `$id`, else the one it stands in. */
  private resourceOf(schema: JsonObject, outer: Resource, at: string): Resource {
    const id = Object.hasOwn(schema, "$id") ? schema["$id"] : undefined
    if (id === undefined) return outer
    const wrong = (detail: string): never => {
      throw new Fault({ _tag: "Invalid", at: place(`${at}/$id`), detail })
    }
    if (typeof id !== "string") return wrong("must be a URI")
    const dialect = dialectIn(schema, at) ?? outer.dialect
    const fragment = fragmentOf(id)
    if (fragment === undefined || (fragment !== "" && dialect.fragmentIds !== true))
      return wrong("must be a URI without a fragment")
    if (id.startsWith("#")) return outer
    const uri = absolute(id, outer.uri)
    if (uri === undefined) return wrong("must be a URI")
    const before = this.resources.get(uri)
    if (schema === outer.root) {
      if (before !== undefined && before !== outer) return wrong("must not be that of another schema")
      const resource = { ...outer, uri }
      this.resources.set(outer.uri, resource)
      this.resources.set(uri, resource)
      return resource
    }
    if (before !== undefined) return wrong("must not be that of another schema")
    const resource = makeResource(uri, dialect, schema)
    this.resources.set(uri, resource)
    outer.inner.set(schema, resource)
    return resource
  }

  /** Notes the anchors of a schema. */
  private name(site: Site, node: Node, resource: Resource): void {
    const note = (keyword: string, anchor: string): void => {
      if (resource.anchors.has(anchor)) invalid(site, keyword, "must not be that of another schema")
      resource.anchors.set(anchor, node)
    }
    for (const keyword of resource.dialect.anchors) {
      const anchor = get(site, keyword)
      if (anchor === undefined) continue
      if (typeof anchor !== "string" || !ANCHOR.test(anchor)) return invalid(site, keyword, "must be a name")
      note(keyword, anchor)
      if (keyword === "$dynamicAnchor") resource.dynamicAnchors.set(anchor, node)
    }
    const { fragmentIds, recursiveAnchors } = resource.dialect
    const isOpen = recursiveAnchors === true && get(site, "$recursiveAnchor") === true
    if (isOpen && site.schema === resource.root) resource.dynamicAnchors.set("", node)
    const id = get(site, "$id")
    if (fragmentIds === true && typeof id === "string") {
      const fragment = fragmentOf(id)
      if (fragment !== undefined && fragment !== "") note("$id", fragment)
    }
  }

  /** All that one schema object says. */
  private whole(checks: ReadonlyArray<Check>, resource: Resource, evaluates: boolean): Check {
    const check: Check = (value, run) => {
      let fits = true
      for (const one of checks)
        if (!one(value, run)) {
          if (run.failures === undefined) return false
          fits = false
        }
      return fits
    }
    return (value, run) => {
      run.enter()
      const { scopes } = run
      const entered = this.isDynamic && scopes.at(-1) !== resource
      if (entered) scopes.push(resource)
      const fits = evaluates ? run.fresh(check, value) : check(value, run)
      if (entered) scopes.pop()
      run.leave()
      return fits
    }
  }

  private site(schema: JsonObject, resource: Resource, at: string, depth: number): Site {
    return {
      schema,
      at,
      sub: (part, keyword, ...steps) => {
        const node = this.schema(part, resource, `${at}/${keyword}${steps.map(token).join("")}`, depth + 1)
        return node.check
      },
      expect: (subschemas) => this.expect(subschemas),
      refer: (keyword) => this.refer(schema[keyword], keyword, resource, at),
      pattern: (source, keyword) => {
        try {
          return this.pattern(source)
        } catch (thrown) {
          if (!(thrown instanceof Refused)) throw thrown
          throw new Fault({ _tag: "BadPattern", at: place(`${at}/${keyword}`), detail: thrown.detail })
        }
      }
    }
  }

  private refer(ref: unknown, keyword: string, resource: Resource, at: string): Link {
    const where = place(`${at}/${keyword}`)
    if (typeof ref !== "string") throw new Fault({ _tag: "Invalid", at: where, detail: "must be a URI" })
    if (keyword === "$recursiveRef" && ref !== "#")
      throw new Fault({ _tag: "Invalid", at: where, detail: 'must be "#"' })
    if (keyword !== "$ref") this.isDynamic = true
    let node: Node | undefined
    let anchor: string | undefined
    this.open.push(() => {
      const target = this.find(ref, resource)
      if (target === undefined) throw new Fault({ _tag: "Unresolvable", at: where, ref: printable(clip(ref, 128)) })
      node = target.node
      const name = fragmentOf(ref)
      if (name !== undefined && target.resource.dynamicAnchors.get(name) === node) anchor = name
    })
    // every reference is followed before the first value is checked
    return { node: () => node!, anchor: () => anchor }
  }

  /** What a reference leads to. Nothing is fetched: it is in the schema, in a document given with it, or not there. */
  private find(ref: string, from: Resource): { readonly node: Node; readonly resource: Resource } | undefined {
    const fragment = fragmentOf(ref)
    const resource = ref.startsWith("#") ? from : this.resourceAt(absolute(ref, from.uri))
    if (fragment === undefined || resource === undefined) return undefined
    if (fragment !== "" && !fragment.startsWith("/")) {
      const node = resource.anchors.get(fragment)
      return node === undefined ? undefined : { node, resource }
    }
    const found = walk(resource, fragment)
    if (!isObject(found.value) && typeof found.value !== "boolean") return undefined
    const known = isObject(found.value) ? found.resource.nodes.get(found.value) : undefined
    const node = known ?? this.schema(found.value, found.resource, `#${fragment}`, 1)
    return { node, resource: found.resource }
  }

  private resourceAt(uri: string | undefined): Resource | undefined {
    if (uri === undefined) return undefined
    const known = this.resources.get(uri)
    if (known !== undefined) return known
    const { documents } = this.options
    const name = [uri, `${uri}#`].find((key) => Object.hasOwn(documents, key))
    if (name === undefined) return undefined
    this.document(documents[name], uri)
    return this.resources.get(uri)
  }
}

/** Builds the check of a schema. Throws `Fault`. */
export const build = (schema: unknown, options: BuildOptions): Check => new Builder(options).run(schema)
