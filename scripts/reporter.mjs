/** A vitest reporter that leaves the counts of a run in the file named by COUNTS; what cannot be loaded counts as failed. */
import { writeFileSync } from "node:fs"

const tally = (modules) => {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const count = (children) => {
    for (const child of children) {
      if (child.type === "test") {
        const state = child.result().state
        counts[state === "passed" || state === "failed" ? state : "skipped"] += 1
      } else {
        // A failing hook fails its suite without failing a test.
        counts.failed += child.errors().length
        count(child.children)
      }
    }
  }
  for (const module of modules) {
    counts.failed += module.errors().length
    count(module.children)
  }
  return counts
}

export default class {
  onTestRunEnd(modules, errors, reason) {
    const counts = tally(modules)
    counts.failed += errors.length
    if (reason !== "passed" && counts.failed === 0) counts.failed = 1
    if (process.env.COUNTS !== undefined) writeFileSync(process.env.COUNTS, JSON.stringify(counts))
  }
}
