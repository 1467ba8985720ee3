/**
 * Spelled-out hygiene: no unfinished business in comments, no `any` and no double casts in sources without a reason, no focused or
 * skipped tests, no path of anyone's machine. `// cast: reason` excuses a cast, `// where: reason` a test bound to a platform; each
 * on the line itself or the one before.
 */
import { readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { appFiles, excused, isTest, main, packageFiles, parse, show, visit, walk } from "./lib.mjs"

const unfinished = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "HA" + "CK"].join("|")})\\b`)
const suppressed = /@ts-(ignore|nocheck|expect-error)/
const machine = [/(^|[\s"'`(=:])\/(work|root)\/[\w.-]+/, /\bregistry\.[\w-]+\.\w+/]
const tests = new Set(["it", "test", "describe", "suite", "bench"])
const focused = new Set(["only", "skip", "todo"])
const conditional = new Set(["skipIf", "runIf"])
const prose = new Set([".ts", ".mjs", ".js", ".json", ".jsonc", ".yaml", ".yml", ".md", ".sh", ""])

const comments = (file, shown, violations) => {
  for (const comment of file.comments) {
    const line = file.line(comment.start)
    const word = unfinished.exec(comment.value)?.[1]
    if (word !== undefined) violations.push({ file: shown, line, rule: `finish it or drop it: ${word}` })
    const directive = suppressed.exec(comment.value)?.[0]
    if (directive !== undefined && !(isTest(file.path) && directive === "@ts-expect-error"))
      violations.push({ file: shown, line, rule: `no ${directive}` })
  }
}

const casts = (file, shown, violations) => {
  const reasons = excused(file, "cast")
  const say = (node, what) => {
    const line = file.line(node.start)
    if (!reasons.has(line)) violations.push({ file: shown, line, rule: `${what} needs a reason: // cast: …` })
  }
  visit(file.program, (node, parent) => {
    if (node.type === "TSAnyKeyword" && parent?.type === "TSAsExpression") say(node, "`as any`")
    if (node.type === "TSAnyKeyword" && parent?.type === "TSTypeAnnotation") say(node, "`: any`")
    if (node.type === "TSAsExpression" && node.typeAnnotation.type !== "TSUnknownKeyword") {
      const inner = node.expression.type === "ParenthesizedExpression" ? node.expression.expression : node.expression
      if (inner.type === "TSAsExpression" && inner.typeAnnotation.type === "TSUnknownKeyword")
        say(inner.typeAnnotation, "`as unknown as`")
    }
  })
}

/** The names along `it.effect.only`, outermost first. */
const chain = (node) => {
  if (node.type === "Identifier") return [node.name]
  if (node.type === "CallExpression") return chain(node.callee)
  if (node.type === "MemberExpression" && !node.computed) return [...chain(node.object), node.property.name]
  return []
}

const focus = (file, shown, violations) => {
  const reasons = excused(file, "where")
  visit(file.program, (node) => {
    if (
      node.type === "CallExpression" &&
      node.callee.type === "Identifier" &&
      /^(xit|xtest|xdescribe|fit|fdescribe)$/.test(node.callee.name)
    )
      violations.push({
        file: shown,
        line: file.line(node.start),
        rule: `no focused or skipped tests: ${node.callee.name}`
      })
    if (node.type !== "MemberExpression" || node.computed) return
    const names = chain(node)
    const last = node.property.name
    const line = file.line(node.property.start)
    if (!tests.has(names[0])) return
    if (focused.has(last) || (conditional.has(last) && !reasons.has(line)))
      violations.push({ file: shown, line, rule: `no focused or skipped tests: ${names.join(".")}` })
  })
}

/** Text that ties the repository to one machine or one registry. */
const places = (root, violations) => {
  for (const path of walk(root)) {
    const shown = show(root, path)
    if (!prose.has(extname(path)) || shown === "pnpm-lock.yaml") continue
    readFileSync(path, "utf8")
      .split("\n")
      .forEach((text, index) => {
        if (machine.some((pattern) => pattern.test(text)))
          violations.push({ file: shown, line: index + 1, rule: "names a place on one machine, or a registry" })
      })
  }
}

export const check = (root) => {
  const violations = []
  for (const path of [...packageFiles(root, "src"), ...packageFiles(root, "test"), ...appFiles(root)]) {
    const file = parse(path)
    const shown = show(root, path)
    if (file.errors.length > 0)
      violations.push({ file: shown, line: 1, rule: `does not parse: ${file.errors[0].message}` })
    comments(file, shown, violations)
    if (shown.startsWith("packages/") && !isTest(path)) casts(file, shown, violations)
    if (isTest(path)) focus(file, shown, violations)
  }
  for (const path of [...walk(join(root, "scripts")), ...walk(join(root, "docs"))]) {
    readFileSync(path, "utf8")
      .split("\n")
      .forEach((text, index) => {
        const word = unfinished.exec(text)?.[1]
        if (word !== undefined)
          violations.push({ file: show(root, path), line: index + 1, rule: `finish it or drop it: ${word}` })
      })
  }
  places(root, violations)
  return { violations }
}

await main(import.meta, check)
