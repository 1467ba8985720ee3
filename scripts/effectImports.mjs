/**
 * Effect is imported by subpath, and only what it tags `@stability stable`. The tags are read from the installed Effect, so that
 * each module and each member is judged by what Effect itself says. What a server on stdio loads to start has no streams.
 */
import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { imports, main, packageFiles, packages, parse, repository, scope, show, visit, walk } from "./lib.mjs"

/**
 * Unstable modules and members that one file may use by value, never in a type: `"packages/x/src/y.ts"` to a map of what
 * (`"effect/socket/Socket"`, or `"effect/Schema#isAscii"`) to the reason.
 */
const allowed = new Map([])

/**
 * Optional entries of a package that exist to fit it into a part of Effect which is not stable: the modules that each may
 * use, in its types, too. Nothing else in the packages imports such an entry, so that only who does lives with its changes.
 */
const adapters = new Map([
  [
    "packages/http/src/adapter/effect.ts",
    {
      entry: `${scope}http/effect`,
      modules: ["effect/ByteSize", "effect/http/HttpServerRequest", "effect/http/HttpServerResponse"]
    }
  ]
])

const isAdapted = (shown, specifier) => adapters.get(shown)?.modules.includes(specifier) === true

/** The adapter that an import leads to. */
const adapterOf = (shown, specifier) =>
  [...adapters].find(
    ([path, { entry }]) =>
      specifier === entry || (specifier.startsWith(".") && posix.join(posix.dirname(shown), specifier) === path)
  )?.[0]

const sources = join(repository, "node_modules/effect/src")
const tag =
  /@stability (stable|unstable|experimental)(?:(?!\*\/)[\s\S])*\*\/\s*export (?:declare )?(?:abstract )?(?:const|let|function\*?|class|interface|type|namespace) ([\w$]+)/g
const reexport = /@stability (stable|unstable|experimental)(?:(?!\*\/)[\s\S])*\*\/\s*(?:[\w$]+ as )?([\w$]+)\s*,?/g

const known = new Map()

/** What Effect says of a module: `undefined` when there is none, else the stability of each of its exports. */
const moduleTags = (specifier) => {
  if (known.has(specifier)) return known.get(specifier)
  const path = join(sources, `${specifier.slice("effect/".length)}.ts`)
  let tags
  if (existsSync(path)) {
    tags = new Map()
    const text = readFileSync(path, "utf8")
    for (const pattern of [reexport, tag]) {
      // An overloaded or doubly named export counts by its best tag: a type and a value may share a name.
      for (const [, stability, name] of text.matchAll(pattern))
        if (tags.get(name) !== "stable") tags.set(name, stability)
    }
  }
  known.set(specifier, tags)
  return tags
}

const isStable = (tags) => [...tags.values()].includes("stable")

/** The rule that an import specifier breaks by itself. */
const moduleRule = (specifier) => {
  if (specifier === "effect") return 'import Effect by subpath ("effect/Effect"), not the barrel'
  if (existsSync(join(sources, specifier.slice("effect/".length), "index.ts")))
    return `"${specifier}" is a barrel: import one of its modules`
  const tags = moduleTags(specifier)
  if (tags === undefined) return `Effect has no module "${specifier}"`
  if (tags.size > 0 && !isStable(tags)) return `"${specifier}" is not stable`
}

/** What a server on stdio loads before it answers. */
const started = /^packages\/(protocol|server|transport-stdio)\/src\//
const streams = join(sources, "Stream.ts")
const loads = new Map()

/** The modules that a module of Effect loads with it, itself included. */
const loadedWith = (path, all = new Set()) => {
  if (all.has(path)) return all
  all.add(path)
  if (!loads.has(path)) {
    const found = readFileSync(path, "utf8").matchAll(/^(?:import|export) (?!type )[^"]*?from "(\.[^"]+)"/gm)
    loads.set(
      path,
      [...found].map(([, relative]) => join(path, "..", relative))
    )
  }
  for (const next of loads.get(path)) loadedWith(next, all)
  return all
}

/** The rule that loading a module at once breaks. */
const startRule = (shown, { node, specifier, typeOnly }) => {
  if (typeOnly || node.type === "ImportExpression" || !started.test(shown) || moduleTags(specifier) === undefined)
    return
  const path = join(sources, `${specifier.slice("effect/".length)}.ts`)
  if (loadedWith(path).has(streams))
    return `"${specifier}" loads streams, and slows a server's start: import() it when it is used`
}

const isEffect = (specifier) => specifier === "effect" || specifier.startsWith("effect/")

/** Uses of unstable members of stable modules: `{ node, use, inType }`. */
const memberUses = (file, found) => {
  const namespaces = new Map()
  const uses = []
  for (const { specifier, node } of found) {
    const tags = moduleTags(specifier)
    if (tags === undefined || node.type !== "ImportDeclaration") continue
    for (const item of node.specifiers) {
      if (item.type === "ImportNamespaceSpecifier") namespaces.set(item.local.name, { specifier, tags })
      else if (item.type === "ImportSpecifier") {
        const name = item.imported.name
        if ((tags.get(name) ?? "stable") !== "stable")
          uses.push({
            node: item,
            use: `${specifier}#${name}`,
            inType: node.importKind === "type" || item.importKind === "type"
          })
      }
    }
  }
  const member = (node, object, property, inType) => {
    if (object?.type !== "Identifier" || property === undefined) return
    const namespace = namespaces.get(object.name)
    if (namespace === undefined || (namespace.tags.get(property) ?? "stable") === "stable") return
    uses.push({ node, use: `${namespace.specifier}#${property}`, inType })
  }
  visit(file.program, (node) => {
    if (node.type === "MemberExpression" && !node.computed) member(node, node.object, node.property.name, false)
    if (node.type === "TSQualifiedName") member(node, node.left, node.right.name, true)
  })
  return uses
}

export const check = (root) => {
  const violations = []
  for (const path of packageFiles(root, "src")) {
    const file = parse(path)
    const shown = show(root, path)
    const reasons = allowed.get(shown)
    const all = imports(file)
    for (const { specifier, line } of all) {
      const adapter = adapterOf(shown, specifier)
      if (adapter !== undefined)
        violations.push({ file: shown, line, rule: `${adapter} is optional: nothing imports it` })
    }
    const effect = all.filter(({ specifier }) => isEffect(specifier) && !isAdapted(shown, specifier))
    for (const found of effect) {
      const { specifier, line, typeOnly } = found
      const rule = moduleRule(specifier)
      if (rule !== undefined && (typeOnly || !reasons?.has(specifier))) violations.push({ file: shown, line, rule })
      const slow = startRule(shown, found)
      if (slow !== undefined) violations.push({ file: shown, line, rule: slow })
    }
    for (const { node, use, inType } of memberUses(file, effect)) {
      const module = use.slice(0, use.indexOf("#"))
      if (moduleRule(module) !== undefined) continue
      if (inType || !reasons?.has(use))
        violations.push({ file: shown, line: file.line(node.start), rule: `${use.replace("#", ".")} is not stable` })
    }
  }
  // What is published must name no unstable module either: an inferred type can bring one in unseen.
  for (const name of packages(root)) {
    for (const path of walk(join(root, "packages", name, "dist")).filter((path) => path.endsWith(".d.ts"))) {
      const shown = show(root, path)
      const source = shown.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts")
      for (const { specifier, line } of imports(parse(path)).filter(({ specifier }) => isEffect(specifier))) {
        const rule = isAdapted(source, specifier) ? undefined : moduleRule(specifier)
        if (rule !== undefined) violations.push({ file: shown, line, rule: `in public types: ${rule}` })
      }
    }
  }
  return { violations }
}

await main(import.meta, check)
