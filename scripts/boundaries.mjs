/** Imports and dependencies of packages follow the arrows of docs/architecture.md, and nothing else. */
import { existsSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { dirname, join, resolve } from "node:path"
import { appFiles, apps, imports, main, owner, packageFiles, packages, parse, scope, show } from "./lib.mjs"

/** Parts of `protocol` that know no message: all that a package may use which must not know any. */
const noMessages = { protocol: ["Limits", "Principal", "TransportError"] }

/** Who may import whom. `true` is all of a package; a list names modules of it. */
const arrows = {
  protocol: {},
  testkit: { protocol: true },
  http: noMessages,
  auth: { ...noMessages, http: true },
  client: { protocol: true },
  server: { protocol: true },
  "transport-stdio": { protocol: true },
  "transport-http": { protocol: true, http: true },
  "transport-sse": { protocol: true, http: true },
  detector: {
    protocol: true,
    http: true,
    auth: true,
    client: true,
    "transport-stdio": true,
    "transport-http": true,
    "transport-sse": true
  }
}

/** Packages whose `src/client` and `src/server` must not drag in each other. */
const twoSided = new Set(["transport-http", "transport-sse"])

const builtins = new Set(builtinModules)

const nameOf = (specifier) => {
  const parts = specifier.split("/")
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : parts[0]
}

const lineOf = (text, needle) => text.slice(0, Math.max(0, text.indexOf(needle))).split("\n").length

const manifest = (root, kind, name, violations) => {
  const path = join(root, kind, name, "package.json")
  const text = readFileSync(path, "utf8")
  const json = JSON.parse(text)
  const say = (needle, rule) => violations.push({ file: show(root, path), line: lineOf(text, needle), rule })
  if (json.name !== scope + name) say('"name"', `the package in this folder is named ${scope}${name}`)
  const sections = ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"]
  for (const section of sections) {
    for (const [dependency, range] of Object.entries(json[section] ?? {})) {
      if (!dependency.startsWith(scope)) continue
      const target = dependency.slice(scope.length)
      if (!range.startsWith("workspace:")) say(`"${dependency}"`, `${dependency} is taken from the workspace`)
      if (kind === "apps") continue
      if (section === "devDependencies")
        say(
          `"${dependency}"`,
          `test-only needs on other packages stand in the root package.json (no cycles in the build graph)`
        )
      else if (arrows[name]?.[target] === undefined) say(`"${dependency}"`, `${name} must not depend on ${target}`)
    }
  }
  if (kind === "packages") {
    if (arrows[name] === undefined)
      say('"name"', `${name} is not in the diagram: add its arrows to scripts/boundaries.mjs`)
    if (json.dependencies?.effect !== undefined) say('"effect"', `effect is a peer dependency`)
    if (json.peerDependencies?.effect === undefined) say('"name"', `effect is missing from the peer dependencies`)
  }
  return new Set([
    ...Object.keys(json.dependencies ?? {}),
    ...Object.keys(json.peerDependencies ?? {}),
    ...Object.keys(json.optionalDependencies ?? {})
  ])
}

/** Rules for relative imports, which hold for sources, tests and apps alike. */
const relativeRule = (root, path, specifier) => {
  const target = resolve(dirname(path), specifier)
  if (owner(root, target).join("/") !== owner(root, path).join("/")) return "a relative import stays inside its package"
  if (!/\.(ts|json)$/.test(specifier)) return "a relative import ends in .ts"
  if (specifier.endsWith(".ts") && !existsSync(target)) return `there is no ${show(root, target)}`
}

const side = (root, path) => {
  const part = show(root, path).split("/")[3]
  return part === "client" || part === "server" ? part : undefined
}

const packageRule = (root, path, name, declared, { specifier }) => {
  if (specifier.startsWith(".")) {
    const wrong = relativeRule(root, path, specifier)
    if (wrong !== undefined) return wrong
    const target = resolve(dirname(path), specifier)
    if (show(root, target).split("/")[2] !== "src") return "a source imports only sources"
    const [from, to] = [side(root, path), side(root, target)]
    if (twoSided.has(name) && from !== undefined && to !== undefined && from !== to)
      return `the ${from} side must not drag in the ${to} side`
    return
  }
  if (specifier.startsWith("node:")) return
  if (builtins.has(specifier)) return `write node:${specifier}`
  const dependency = nameOf(specifier)
  if (dependency.startsWith(scope)) {
    const target = dependency.slice(scope.length)
    if (target === name) return "a package imports its own files by relative paths"
    const allowed = arrows[name]?.[target]
    if (allowed === undefined) return `${name} must not import ${target}`
    const module = specifier.slice(dependency.length + 1)
    if (allowed !== true && !allowed.includes(module))
      return `${name} knows no message: of ${target} it may import ${allowed.join(", ")}`
    if (/(^|\/)(src|dist|test)(\/|$)/.test(module)) return "import a package by what it publishes"
  }
  if (!declared.has(dependency)) return `${dependency} is not among the dependencies of ${name}`
}

export const check = (root) => {
  const violations = []
  const declared = new Map(packages(root).map((name) => [name, manifest(root, "packages", name, violations)]))
  for (const name of apps(root)) manifest(root, "apps", name, violations)
  for (const path of packageFiles(root, "src")) {
    const file = parse(path)
    const name = owner(root, path)[1]
    for (const found of imports(file)) {
      const rule = packageRule(root, path, name, declared.get(name), found)
      if (rule !== undefined)
        violations.push({ file: show(root, path), line: found.line, rule: `${rule} ("${found.specifier}")` })
    }
  }
  for (const path of [...packageFiles(root, "test"), ...appFiles(root)]) {
    for (const { specifier, line } of imports(parse(path))) {
      const rule = specifier.startsWith(".") ? relativeRule(root, path, specifier) : undefined
      if (rule !== undefined) violations.push({ file: show(root, path), line, rule: `${rule} ("${specifier}")` })
    }
  }
  return { violations }
}

await main(import.meta, check)
