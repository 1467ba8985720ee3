/**
 * Runs the official JSON Schema Test Suite, which is on no registry for these dialects, from a checkout of it:
 *
 *     node --conditions=@effective-mcp/source packages/protocol/test/jsonSchema/suite.ts FOLDER
 *
 * Prints what does not come out as it should, and a count for each dialect.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type DialectName, dialects, outcome, refusal } from "./outcome.ts"

interface Group {
  readonly description: string
  readonly schema: unknown
  readonly tests: ReadonlyArray<{ readonly description: string; readonly data: unknown; readonly valid: boolean }>
}

/** Groups that do not apply. */
const reasons: ReadonlyArray<readonly [group: RegExp, reason: string]> = [
  [/custom metaschema|optional vocabulary/, "a dialect of one's own is an unknown dialect"],
  [/against metaschema|remote ref, containing refs itself/, "no metaschema is built in"]
]

const folders: ReadonlyArray<readonly [DialectName, string]> = [
  ["draft-07", "draft7"],
  ["2019-09", "draft2019-09"],
  ["2020-12", "draft2020-12"]
]

const read = (path: string) => JSON.parse(readFileSync(path, "utf8"))

/** A schema is of the folder's dialect unless it says otherwise. */
const ofDialect = (dialect: DialectName, schema: unknown) =>
  typeof schema === "object" ? { $schema: dialects[dialect], ...schema } : schema === true

/** What stands at the addresses that the suite refers to. */
const documentsIn = (folder: string, dialect: DialectName) => {
  const remotes = join(folder, "remotes")
  const paths = readdirSync(remotes, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"))
  return Object.fromEntries(
    paths.map((path) => [
      `http://localhost:1234/${path.replaceAll("\\", "/")}`,
      ofDialect(dialect, read(join(remotes, path)))
    ])
  )
}

const [root = "."] = process.argv.slice(2)
for (const [dialect, folder] of folders) {
  const documents = documentsIn(root, dialect)
  const counts = { passed: 0, failed: 0, left: 0 }
  const tests = join(root, "tests", folder)
  for (const file of readdirSync(tests).filter((name) => name.endsWith(".json"))) {
    const groups: ReadonlyArray<Group> = read(join(tests, file))
    for (const group of groups) {
      if (reasons.some(([pattern]) => pattern.test(group.description))) {
        counts.left += group.tests.length
        continue
      }
      const schema = ofDialect(dialect, group.schema)
      const refused = refusal(schema, { documents })?._tag
      for (const { data, description, valid } of group.tests) {
        const found = refused ?? outcome(schema, data, { documents })
        const isRight = valid ? found === "fits" : Array.isArray(found) && found.length > 0
        counts[isRight ? "passed" : "failed"]++
        if (!isRight) console.log(`${folder}/${file}: ${group.description}: ${description}: ${JSON.stringify(found)}`)
      }
    }
  }
  console.log(`${dialect}: ${counts.passed} passed, ${counts.failed} failed, ${counts.left} left out`)
  if (counts.failed > 0) process.exitCode = 1
}
for (const [group, reason] of reasons) console.log(`left out: ${group.source}: ${reason}`)
