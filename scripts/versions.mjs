/** A version is a place: dated revisions are named and compared only in folders called `revision` and `era`. */
import { main, packageFiles, parse, show, text, visit } from "./lib.mjs"

const dated = /20\d\d-\d\d-\d\d/
const folder = /(^|\/)v20\d\d_\d\d_\d\d(\/|$)/
const versionName = /(^|[a-z0-9])([Rr]evision|[Vv]ersion|[Ee]ra)$/
const comparisons = new Set(["==", "===", "!=", "!==", "<", "<=", ">", ">="])

/** Files that may do so elsewhere, each with the reason. */
const allowed = new Map([])

const named = (node) => {
  if (node.type === "ChainExpression" || node.type === "TSNonNullExpression") return named(node.expression)
  if (node.type === "Identifier") return node.name
  if (node.type !== "MemberExpression") return undefined
  return node.computed ? text(node.property) : node.property.name
}

const isVersion = (node) => versionName.test(named(node) ?? "")

/** Absence and shape may be asked about anywhere. */
const isPresence = (node) =>
  (node.type === "Identifier" && node.name === "undefined") ||
  (node.type === "Literal" && node.value === null) ||
  (node.type === "UnaryExpression" && node.operator === "typeof")

export const check = (root) => {
  const violations = []
  for (const path of packageFiles(root, "src")) {
    const shown = show(root, path)
    if (/\/(revision|era)\//.test(shown) || allowed.has(shown)) continue
    const file = parse(path)
    const say = (node, rule) => violations.push({ file: shown, line: file.line(node.start), rule })
    visit(file.program, (node) => {
      const value = text(node)
      if (value !== undefined && dated.test(value))
        say(node, `a protocol version is named only in revision/ and era/: "${value}"`)
      if (value !== undefined && folder.test(value))
        say(node, `one revision's files are imported only in revision/ and era/: "${value}"`)
      if (node.type === "BinaryExpression" && comparisons.has(node.operator)) {
        const { left, right } = node
        if ((isVersion(left) && !isPresence(right)) || (isVersion(right) && !isPresence(left)))
          say(
            node,
            `versions and eras are compared only in revision/ and era/: ${file.text.slice(node.start, node.end)}`
          )
      }
      if (node.type === "SwitchStatement" && isVersion(node.discriminant))
        say(node, "versions and eras are told apart only in revision/ and era/")
    })
  }
  return { violations }
}

await main(import.meta, check)
