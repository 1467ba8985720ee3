/** No source file over 450 lines, no test over 600; prints the median. */
import { readFileSync } from "node:fs"
import { appFiles, isTest, main, packageFiles, show } from "./lib.mjs"

const limits = { source: 450, test: 600 }

const count = (path) => {
  const text = readFileSync(path, "utf8")
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
}

export const check = (root) => {
  const violations = []
  const sources = packageFiles(root, "src")
  for (const path of [...sources, ...packageFiles(root, "test"), ...appFiles(root)]) {
    const limit = isTest(path) ? limits.test : limits.source
    const lines = count(path)
    if (lines > limit)
      violations.push({
        file: show(root, path),
        line: limit + 1,
        rule: `${lines} lines: the limit is ${limit}, split it`
      })
  }
  const lengths = sources.map(count).sort((a, b) => a - b)
  const median = lengths[Math.floor(lengths.length / 2)] ?? 0
  return {
    violations,
    note: `${sources.length} source files, median ${median} lines (aim: at most 110), longest ${lengths.at(-1) ?? 0}`
  }
}

await main(import.meta, check)
