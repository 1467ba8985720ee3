/** Every check catches what it is for, and lets pass what it should: each is run on small repositories written for it. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { check as behaviours } from "./behaviours.mjs"
import { check as boundaries } from "./boundaries.mjs"
import { check as effectImports } from "./effectImports.mjs"
import { check as fences } from "./fences.mjs"
import { check as hygiene } from "./hygiene.mjs"
import { main, repository } from "./lib.mjs"
import { check as size } from "./size.mjs"
import { check as specMap } from "./specMap.mjs"
import { check as versions } from "./versions.mjs"

const manifest = (name, more = {}) =>
  JSON.stringify({ name: `@effective-mcp/${name}`, peerDependencies: { effect: "^4.1.0" }, ...more }, null, 2)
const onProtocol = { dependencies: { "@effective-mcp/protocol": "workspace:*" } }
const base = {
  "packages/protocol/package.json": manifest("protocol"),
  "packages/protocol/src/Peer.ts": `export const make = 1\n`,
  "packages/client/package.json": manifest("client", onProtocol),
  "packages/server/package.json": manifest("server", onProtocol),
  "packages/transport-stdio/package.json": manifest("transport-stdio", onProtocol)
}
const client = (code, name = "Client") => ({ ...base, [`packages/client/src/${name}.ts`]: code })
const withAdapter = (more) => ({
  ...base,
  "packages/http/package.json": manifest("http"),
  "packages/http/src/adapter/effect.ts": `import type { HttpServerRequest } from "effect/http/HttpServerRequest"\nexport type A = HttpServerRequest\n`,
  "packages/http/dist/adapter/effect.d.ts": `import type { HttpServerRequest } from "effect/http/HttpServerRequest"\n`,
  ...more
})
const test = (code) => ({ ...base, "packages/client/test/Client.test.ts": code })
const page = (...fence) => ({ ...base, "docs/page.md": `# Page\n\n${fence.join("\n")}\n` })
const table = (...rows) => ({
  ...base,
  "docs/behaviours.md": `| id | rule | source |\n| --- | --- | --- |\n${rows.join("\n")}\n`
})
const titles = (...names) =>
  Promise.resolve(names.map((name) => ({ name, file: "packages/client/test/Client.test.ts" })))
const spec = (rest) => `https://modelcontextprotocol.io/specification/${rest}`
const places = { "2025-06-18/server/tools": "tool calling-tools", "2025-11-25/schema": "tool" }
const map = `# From the specification to the sources

Written by \`node scripts/specMap.mjs\` from the sources and their \`@see\` tags; a check holds that it is up to date. First
every type of the published schemas, then the pages of the specification. Users see the neutral
[model](../packages/protocol/src/model); what is defined below is what each revision has on the wire.

## Types

| Type | 2025-11-25 | 2025-06-18 |
| --- | --- | --- |
| \`Text\` | [schemas.ts](../packages/protocol/src/revision/v2025_11_25/schemas.ts) | – |
| \`Tool\` | [same as 2025-06-18](../packages/protocol/src/revision/v2025_06_18/tools.ts), \`tool\` | [tools.ts](../packages/protocol/src/revision/v2025_06_18/tools.ts), \`tool\` |

## 2025-11-25

| Page | Where it stands |
| --- | --- |
| [schema#tool](${spec("2025-11-25/schema#tool")}) | client: [Client.ts](../packages/client/src/Client.ts) |

## 2025-06-18

| Page | Where it stands |
| --- | --- |
| [server/tools#tool](${spec("2025-06-18/server/tools#tool")}) | [Tool](../packages/protocol/src/revision/v2025_06_18/tools.ts) |
`
const mapped = (more) => ({
  ...base,
  "scripts/specPages.json": JSON.stringify({ moved: { "2025-11-25/old": "/new" }, pages: places }),
  "packages/protocol/test/revision/fixtures/2025-06-18.schema.json": `{ "definitions": { "Tool": {} } }`,
  "packages/protocol/test/revision/fixtures/2025-11-25.schema.json": `{ "$defs": { "Tool": {}, "Text": {} } }`,
  "packages/protocol/src/revision/v2025_06_18/tools.ts": `const tool = 1\n\n/** @see ${spec("2025-06-18/server/tools#tool")} */\nexport { tool as Tool }\n`,
  "packages/protocol/src/revision/v2025_06_18/schemas.ts": `export * from "./tools.ts"\n`,
  "packages/protocol/src/revision/v2025_11_25/schemas.ts": `import { Tool } from "../v2025_06_18/schemas.ts"\n\nexport { Tool }\nexport const Text = 1\n`,
  "packages/client/src/Client.ts": `/** @see ${spec("2025-11-25/schema#tool")} */\nconst a = 1\n`,
  "docs/spec-map.md": map,
  ...more
})
const lines = (count) => "export {}\n".repeat(count)
const unfinished = "TO" + "DO"
const home = "/ro" + "ot/me"

/** Each: the check, a small repository, and `file:line` with a part of the rule for every violation expected of it. */
const cases = [
  [boundaries, client(`import { make } from "@effective-mcp/protocol/Peer"\nexport const a = make\n`)],
  [
    boundaries,
    client(`import * as S from "@effective-mcp/server/Server"\n`),
    "packages/client/src/Client.ts:1 client must not import server"
  ],
  [
    boundaries,
    client(`\nexport type A = import("@effective-mcp/testkit/Faults").A\n`),
    "packages/client/src/Client.ts:2 client must not import testkit"
  ],
  [boundaries, client(`export const a = () => import("zod")\n`), "Client.ts:1 zod is not among the dependencies"],
  [
    boundaries,
    client(`export * from "../../protocol/src/Peer.ts"\n`),
    "Client.ts:1 a relative import stays inside its package"
  ],
  [boundaries, client(`export * from "./Other.js"\n`), "Client.ts:1 a relative import ends in .ts"],
  [
    boundaries,
    client(`import "@effective-mcp/protocol/test/Peer"\n`),
    "Client.ts:1 import a package by what it publishes"
  ],
  [boundaries, client(`export * from "./Other.ts"\n`), "Client.ts:1 there is no packages/client/src/Other.ts"],
  [
    boundaries,
    { ...base, "packages/transport-stdio/src/spawn.ts": `import "@effective-mcp/client/Client"\n` },
    "spawn.ts:1 transport-stdio must not import client"
  ],
  [
    boundaries,
    {
      ...base,
      "packages/client/package.json": manifest("client", { dependencies: { "@effective-mcp/server": "workspace:*" } })
    },
    "packages/client/package.json:7 client must not depend on server"
  ],
  [boundaries, { ...base, "packages/novel/package.json": manifest("novel") }, "novel is not in the diagram"],
  [
    boundaries,
    test(`import "../../server/src/Server.ts"\n`),
    "packages/client/test/Client.test.ts:1 a relative import stays inside"
  ],

  [
    versions,
    client(`/** @see 2025-11-25 */\nexport const a = (protocolVersion?: string) => protocolVersion === undefined\n`)
  ],
  [versions, client(`export const a = "2025-11-25"\n`, "era/Legacy")],
  [versions, client(`export const a = "2025-11-25"\n`), "packages/client/src/Client.ts:1 a protocol version is named"],
  [versions, client("export const a = (b: string) => `${b} 2026-07-28`\n"), "Client.ts:1 a protocol version is named"],
  [
    versions,
    client(`export const a = (b: { revision: string }, c: string) => b.revision >= c\n`),
    "Client.ts:1 versions and eras are compared"
  ],
  [
    versions,
    client(`export const a = (b: { era: string }) => b.era === "modern"\n`),
    "Client.ts:1 versions and eras are compared"
  ],
  [
    versions,
    client(`export * from "@effective-mcp/protocol/revision/v2025_06_18/tools"\n`),
    "Client.ts:1 one revision's files"
  ],

  [
    effectImports,
    client(
      `import * as Effect from "effect/Effect"\nimport type { Scope } from "effect/Scope"\nexport const a: Effect.Effect<number, never, Scope> = Effect.succeed(1)\n`
    )
  ],
  [effectImports, client(`import { Effect } from "effect"\n`), "Client.ts:1 import Effect by subpath"],
  [
    effectImports,
    client(`\nimport * as Socket from "effect/socket/Socket"\n`),
    `Client.ts:2 "effect/socket/Socket" is not stable`
  ],
  [effectImports, client(`import { Base64 } from "effect/encoding"\n`), `Client.ts:1 "effect/encoding" is a barrel`],
  [effectImports, client(`import * as Effect from "effect/unstable/http"\n`), "Client.ts:1 Effect has no module"],
  [
    effectImports,
    client(`import * as Schema from "effect/Schema"\nexport const a = Schema.isAscii()\n`),
    "Client.ts:2 effect/Schema.isAscii is not stable"
  ],
  [
    effectImports,
    {
      ...base,
      "packages/server/src/Logs.ts": `import type * as Logger from "effect/Logger"\nexport const a = () => import("effect/Logger")\n`
    }
  ],
  [
    effectImports,
    { ...base, "packages/server/src/Logs.ts": `import * as Logger from "effect/Logger"\nexport const a = Logger\n` },
    `Logs.ts:1 "effect/Logger" loads streams`
  ],
  [effectImports, withAdapter({})],
  [
    effectImports,
    withAdapter({
      "packages/http/src/index.ts": `export * from "./adapter/effect.ts"\n`,
      "packages/client/src/Client.ts": `\nimport "@effective-mcp/http/effect"\n`
    }),
    "index.ts:1 packages/http/src/adapter/effect.ts is optional",
    "Client.ts:2 packages/http/src/adapter/effect.ts is optional"
  ],
  [
    effectImports,
    withAdapter({
      "packages/http/src/adapter/fetch.ts": `import type { HttpServerRequest } from "effect/http/HttpServerRequest"\n`
    }),
    `fetch.ts:1 "effect/http/HttpServerRequest" is not stable`
  ],
  [
    effectImports,
    { ...base, "packages/client/dist/Client.d.ts": `export declare const a: import("effect/Path").Path\n` },
    `dist/Client.d.ts:1 in public types: "effect/Path" is not stable`
  ],

  [size, { ...base, "packages/client/src/A.ts": lines(450), "packages/client/test/A.test.ts": lines(600) }],
  [
    size,
    { ...base, "packages/client/src/A.ts": lines(451), "packages/client/test/A.test.ts": lines(601) },
    "packages/client/src/A.ts:451 451 lines",
    "packages/client/test/A.test.ts:601 601 lines"
  ],

  [
    hygiene,
    client(
      `// cast: the codec has checked it\nexport const a = 1 as any\nexport const b: any = 1 // cast: any is the point\nexport const c: unknown = "@ts-ignore"\n`
    )
  ],
  [hygiene, client(`\nexport const a = 1 as any\n`), "Client.ts:2 `as any`"],
  [hygiene, client(`export const a = (b: any) => b\n`), "Client.ts:1 `: any`"],
  [hygiene, client(`export const a = 1 as unknown as string\n`), "Client.ts:1 `as unknown as`"],
  [hygiene, client(`// cast:\nexport const a = 1 as any\n`), "Client.ts:2 `as any`"],
  [hygiene, client(`// @ts-expect-error\nexport const a: string = 1\n`), "Client.ts:1 no @ts-expect-error"],
  [hygiene, client(`/** ${unfinished}: later */\nexport {}\n`), `Client.ts:1 finish it or drop it: ${unfinished}`],
  [hygiene, test(`it.only("a", () => {})\n`), "Client.test.ts:1 no focused or skipped tests: it.only"],
  [
    hygiene,
    test(`describe("a", () => {\n  it.effect.skip("b", () => {})\n})\n`),
    "Client.test.ts:2 no focused or skipped tests: it.effect.skip"
  ],
  [
    hygiene,
    test(`it.runIf(false)("a", () => {})\n// where: only Windows has it\nit.runIf(true)("b", () => {})\n`),
    "Client.test.ts:1 no focused or skipped tests: it.runIf"
  ],
  [hygiene, client(`export const a = "${home}"\n`), "Client.ts:1 names a place"],

  [behaviours, table("| C-1 | rule | source |"), () => titles("C-1 holds", "encodes UTF-8")],
  [
    behaviours,
    table("| C-1 | rule | source |"),
    () => titles("C-1 holds", "T-22 and STD-02 hold"),
    "packages/client/test/Client.test.ts:1 T-22 is missing",
    "Client.test.ts:1 STD-02 is missing"
  ],
  [
    behaviours,
    table("| C-1 | rule | source |", "| R-9 | rule | source |"),
    () => titles("C-1 holds"),
    "docs/behaviours.md:4 no test names R-9"
  ],
  [behaviours, table("| C-1 | rule | |"), () => titles("C-1 holds"), "docs/behaviours.md:3 C-1 needs three cells"],

  [specMap, mapped({})],
  [specMap, mapped({ "docs/spec-map.md": map.replace("| – |", "|  |") }), "docs/spec-map.md:11 is not up to date"],
  [
    specMap,
    mapped({ "packages/protocol/src/revision/v2025_11_25/schemas.ts": `export * from "../v2025_06_18/tools.ts"\n` }),
    "packages/protocol/src/revision/v2025_11_25/schemas.ts:1 Text is not defined",
    "docs/spec-map.md:11 is not up to date"
  ],
  [
    specMap,
    mapped({ "packages/server/src/Server.ts": `\n/**\n * A.\n *\n * @see ${spec("2025-11-25/schema#text")}\n */\n` }),
    "packages/server/src/Server.ts:5 2025-11-25/schema has no place #text",
    "docs/spec-map.md:18 is not up to date"
  ],
  [
    specMap,
    mapped({
      "docs/page.md": `# Page\n\n[a](${spec("2025-11-25/old#a")}), ${spec("2025-06-18/server/tools#tool")}.\n`,
      "packages/client/test/Client.test.ts": `export const a = "${spec("2025-11-25/schemas")}"\n`
    }),
    "docs/page.md:3 2025-11-25/old has moved to /new",
    "packages/client/test/Client.test.ts:1 the specification has no page 2025-11-25/schemas"
  ],

  [fences, page("```ts", `const a: number = 1`, `if (a !== 1) throw new Error()`, "```", "```sh", "exit 1", "```")],
  [fences, page("```ts no-run: it waits for a person", `await new Promise(() => setTimeout(() => {}, 1e6))`, "```")],
  [
    fences,
    page("```ts", "", `const a: number = "1"`, "```", "```ts", `throw new Error("ran")`, "```"),
    "docs/page.md:5 error TS2322",
    "docs/page.md:7 ends with 1"
  ],
  [
    fences,
    page(
      "```ts file=a.ts",
      `export const a = 1`,
      "```",
      "```ts",
      `import { a } from "./a.ts"`,
      `process.exit(a + 1)`,
      "```"
    ),
    "docs/page.md:6 ends with 2"
  ],
  [fences, page("```ts no-run", `export {}`, "```"), "docs/page.md:3 no-run needs a reason"],
  [
    fences,
    page("```ts", `import "zod-is-not-installed"`, "```"),
    "docs/page.md:4 error TS2882",
    "docs/page.md:3 ends with 1"
  ]
]

const write = (files) => {
  const root = mkdtempSync(join(tmpdir(), "self-check-"))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "junction")
  return root
}

const names = new Map(
  Object.entries({ behaviours, boundaries, effectImports, fences, hygiene, size, specMap, versions }).map(
    ([name, check]) => [check, name]
  )
)

/** Runs one case: what it found that was not expected, and what it missed. */
const wrong = async ([check, files, ...rest]) => {
  const input = typeof rest[0] === "function" ? rest[0]() : undefined
  const expected = rest.filter((part) => typeof part === "string")
  const root = write(files)
  try {
    const { violations } = await check(root, input)
    const found = violations.map(({ file, line, rule }) => `${file}:${line} ${rule}`)
    const missed = expected.filter((part) => !found.some((text) => text.includes(part)))
    const surplus = found.filter((text) => !expected.some((part) => text.includes(part)))
    return [...missed.map((text) => `missed: ${text}`), ...surplus.map((text) => `unexpected: ${text}`)]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

export const check = async () => {
  const queue = cases.map((one, index) => [one, index])
  const violations = []
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [one, index] = next
      for (const rule of await wrong(one))
        violations.push({ file: `scripts/${names.get(one[0])}.mjs`, line: 1, rule: `case ${index + 1}: ${rule}` })
    }
  }
  await Promise.all(Array.from({ length: 3 }, worker))
  return { violations, note: `${cases.length} cases` }
}

await main(import.meta, check)
