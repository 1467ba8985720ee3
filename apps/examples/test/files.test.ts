import { Client, Tools } from "@effective-mcp/client"
import { type CallToolResult, type JsonRpc, local, type Progress } from "@effective-mcp/protocol"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, realpath, rename, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { describe } from "vitest"
import { bounds } from "../files/bounds.ts"
import * as Folder from "../files/Folder.ts"
import { readText } from "../files/readText.ts"
import { files } from "../files/server.ts"
import { children } from "../files/walk.ts"

const windows = process.platform === "win32"

/** A folder to serve, with a secret beside it. */
const grounds = Effect.acquireRelease(
  Effect.promise(async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), "grounds-")))
    const root = join(outside, "served")
    await mkdir(join(root, "guides/deep"), { recursive: true })
    await mkdir(join(outside, "served-not"))
    await writeFile(join(outside, "secret.txt"), "SECRET")
    await writeFile(join(outside, "served-not/secret.txt"), "SECRET")
    await writeFile(join(root, "readme.md"), "# Hello\n\nThe quick brown fox.\n")
    await writeFile(join(root, "guides/start.md"), "Start here.\nA FOX again: 狐 🦊\n")
    await writeFile(join(root, "guides/deep/fox.txt"), "nothing\n")
    await writeFile(join(root, ".env"), "SECRET")
    return { outside, root }
  }),
  ({ outside }) => Effect.promise(() => rm(outside, { recursive: true, force: true }))
)

interface World {
  readonly outside: string
  readonly root: string
  readonly folder: Folder.Folder
  readonly client: Client.Client
  readonly call: (name: string, args: JsonRpc.JsonObject) => Effect.Effect<CallToolResult>
}

const world = Effect.gen(function* (): Effect.fn.Return<World, unknown, Scope.Scope> {
  const { outside, root } = yield* grounds
  const folder = yield* Folder.open(root)
  const client = yield* Client.connect(local(files(folder).modern), { name: "test", version: "1.0.0" })
  return { outside, root, folder, client, call: (name, args) => Effect.orDie(Tools.call(client, name, args)) }
}).pipe(Effect.orDie)

const textOf = ({ content }: CallToolResult): string =>
  content.map((piece) => (piece.type === "text" ? piece.text : piece.type)).join("\n")

/** Refused in words of its own, which tell nothing of what is outside. */
const isRefused = (result: CallToolResult, { outside }: World): string => {
  const text = textOf(result)
  expect(result.isError, text).toBe(true)
  expect(text).not.toContain(outside)
  expect(text).not.toContain("SECRET")
  expect(text).not.toContain("reason is in the server's log")
  return text
}

describe("a path cannot leave the folder", () => {
  it.live.each([
    ["..", "has .. in it"],
    ["../secret.txt", "has .. in it"],
    ["guides/../../secret.txt", "has .. in it"],
    ["guides/../readme.md", "has .. in it"],
    ["./..//secret.txt", "has .. in it"],
    ["..\\secret.txt", "backslash"],
    ["guides\\..\\..\\secret.txt", "backslash"],
    ["/etc/passwd", "absolute"],
    ["//etc/passwd", "absolute"],
    ["C:/secret.txt", "absolute"],
    ["c:secret.txt", "absolute"],
    ["file:///etc/passwd", "does not exist"],
    ["~/secret.txt", "does not exist"],
    ["%2e%2e/secret.txt", "does not exist"],
    ["..%2fsecret.txt", "is not served"],
    ["%2e%2e%2fsecret.txt", "does not exist"],
    ["%252e%252e%252fsecret.txt", "does not exist"],
    ["%c0%ae%c0%ae/secret.txt", "does not exist"],
    ["．．/secret.txt", "does not exist"],
    ["... /secret.txt", "is not served"],
    [".. /secret.txt", "is not served"],
    ["readme.md\0", "control characters"],
    ["readme.md\0../../secret.txt", "control characters"],
    ["readme.md\n", "control characters"],
    ["readme.md\u2028", "control characters"],
    ["readme.md\uFFFD", "not text"],
    ["readme.md\uD800", "not text"],
    ["readme.md/../../secret.txt", "has .. in it"],
    ["readme.md/x", "does not exist"],
    [".env", "is not served"],
    ["guides/.hidden", "is not served"],
    ["a".repeat(300), "too long"],
    ["a/".repeat(600), "over 1024 characters"]
  ] as const)("%j is refused", ([path, why]) =>
    Effect.gen(function* () {
      const at = yield* world
      expect(isRefused(yield* at.call("read", { path }), at)).toContain(why)
      isRefused(yield* at.call("list", { path }), at)
      isRefused(yield* at.call("search", { text: "SECRET", path }), at)
    })
  )

  it.live("by a link of any kind, whatever it leads to, and all are refused alike", () =>
    Effect.gen(function* () {
      const at = yield* world
      const links = {
        file: "../secret.txt",
        absolute: join(at.outside, "secret.txt"),
        folder: "..",
        sibling: "../served-not",
        dangling: "../nothing",
        loop: "loop",
        chain: "guides/hop",
        hidden: ".env",
        system: "/"
      }
      yield* Effect.promise(async () => {
        await symlink("../file", join(at.root, "guides/hop"))
        for (const [name, target] of Object.entries(links)) await symlink(target, join(at.root, name))
      })
      const paths = [...Object.keys(links), "folder/secret.txt", "folder/nothing", "sibling/secret.txt", "system/etc"]
      for (const path of paths) {
        expect(isRefused(yield* at.call("read", { path }), at)).toBe(
          `${JSON.stringify(path)} goes through a link that leads to nothing in the folder.`
        )
        isRefused(yield* at.call("list", { path }), at)
      }
      const found = yield* at.call("search", { text: "SECRET" })
      expect(found.structuredContent).toEqual({ matches: [], searched: 3, skipped: 0, truncated: false })
      expect(textOf(yield* at.call("list", {}))).not.toMatch(/file|folder|sibling|system/)
    })
  )

  // where: only a file system that tells cases apart can hold both names
  it.live.runIf(process.platform === "linux")("by a folder whose name differs in case only", () =>
    Effect.gen(function* () {
      const at = yield* world
      yield* Effect.promise(async () => {
        await mkdir(join(at.outside, "SERVED"))
        await writeFile(join(at.outside, "SERVED/secret.txt"), "SECRET")
        await symlink("../SERVED/secret.txt", join(at.root, "cased"))
      })
      isRefused(yield* at.call("read", { path: "cased" }), at)
    })
  )

  it.live("by a file that is replaced after it was looked at", () =>
    Effect.gen(function* () {
      const at = yield* world
      const path = join(at.root, "readme.md")
      const located = yield* Folder.locate(at.folder, "readme.md")
      yield* Effect.promise(() => rename(join(at.outside, "secret.txt"), path))
      expect((yield* Effect.flip(readText(located))).message).toContain("was just replaced")
      yield* Effect.promise(() => rm(path))
      yield* Effect.promise(() => symlink("../served-not/secret.txt", path))
      expect((yield* Effect.flip(readText(located))).message).toContain("cannot be read")
    })
  )
})

/** Swaps a folder and a link for a while, from a thread of its own, in no rhythm. */
const swapper = `
  const { renameSync } = require("node:fs")
  const { workerData } = require("node:worker_threads")
  const { served, away, link, end } = workerData
  const still = new Int32Array(new SharedArrayBuffer(4))
  const stay = () => Atomics.wait(still, 0, 0, Math.random() / 4)
  while (Date.now() < end) {
    renameSync(served, away)
    renameSync(link, served)
    stay()
    renameSync(served, link)
    renameSync(away, served)
    stay()
  }
`

describe("a folder on the way can be swapped for a link", () => {
  /** `served` can be swapped for a link to a folder outside that has a file of the same name. */
  const swaps = Effect.gen(function* () {
    const at = yield* world
    const [served, away, link] = [join(at.root, "guides/deep"), join(at.outside, "away"), join(at.outside, "link")]
    yield* Effect.promise(async () => {
      await symlink(join(at.outside, "served-not"), link)
      await writeFile(join(at.outside, "served-not/fox.txt"), "SECRET")
    })
    return { at, served, away, link }
  })

  it.live.each([true, false])("before it is looked at, whether handles say where they are: %j", (ways) =>
    Effect.gen(function* () {
      const { at, away, link, served } = yield* swaps
      if (process.platform === "linux") expect(at.folder.ways).toBe(true)
      const folder = { ...at.folder, ways: at.folder.ways && ways }
      const why = folder.ways ? "was just replaced" : "goes through a link"
      const file = yield* Folder.locate(folder, "guides/deep/fox.txt")
      const deep = yield* Folder.locate(folder, "guides/deep")
      yield* Effect.promise(() => rename(served, away).then(() => rename(link, served)))
      // as if each name had been looked up while the link was there, but for the last look at where it leads
      const info = yield* Effect.promise(() => stat(file.real))
      expect((yield* Effect.flip(readText({ ...file, info }))).message).toContain(why)
      const real = yield* Effect.promise(() => realpath(served))
      const outer = yield* Effect.promise(() => stat(real))
      expect((yield* Effect.flip(children({ ...deep, real, info: outer }, 10))).message).toContain(why)
    })
  )

  // where: on Windows what is open cannot be renamed
  it.live.runIf(!windows)("again and again, and nothing outside is seen", () =>
    Effect.gen(function* () {
      const { at, ...paths } = yield* swaps
      const end = Date.now() + 1_000
      const swapping = yield* Effect.acquireRelease(
        Effect.sync(() => new Worker(swapper, { eval: true, workerData: { ...paths, end } })),
        (worker) => Effect.promise(() => worker.terminate())
      )
      const ended = once(swapping, "exit")
      const asked = Effect.all(
        [
          at.call("read", { path: "guides/deep/fox.txt" }),
          at.call("list", { path: "guides/deep" }),
          at.call("search", { text: "SECRET", path: "guides/deep" })
        ],
        { concurrency: "unbounded" }
      )
      while (Date.now() < end) {
        for (const result of yield* asked) expect(textOf(result)).not.toMatch(/SECRET|secret\.txt/)
      }
      expect(yield* Effect.promise(() => ended)).toEqual([0])
      expect(textOf(yield* at.call("read", { path: "guides/deep/fox.txt" }))).toBe("nothing\n")
    })
  )
})

it.live("a link that stays inside is followed", () =>
  Effect.gen(function* () {
    const at = yield* world
    yield* Effect.promise(() => symlink("guides", join(at.root, "manuals")))
    expect(textOf(yield* at.call("read", { path: "manuals/deep/fox.txt" }))).toBe("nothing\n")
  })
)

it.live("a folder that is itself reached by a link is served", () =>
  Effect.gen(function* () {
    const at = yield* world
    const link = join(at.outside, "link")
    yield* Effect.promise(() => symlink(at.root, link))
    const folder = yield* Folder.open(link)
    expect(folder.root).toBe(at.root)
    expect(yield* Effect.flatMap(Folder.locate(folder, "guides/deep/fox.txt"), readText)).toBe("nothing\n")
  })
)

it.live("a file is read up to the limit, and refused over it", () =>
  Effect.gen(function* () {
    const at = yield* world
    yield* Effect.promise(() => writeFile(join(at.root, "limit.txt"), "x".repeat(bounds.fileBytes)))
    yield* Effect.promise(() => writeFile(join(at.root, "over.txt"), "x".repeat(bounds.fileBytes + 1)))
    const read = yield* at.call("read", { path: "limit.txt" })
    expect(textOf(read)).toHaveLength(bounds.fileBytes)
    expect(isRefused(yield* at.call("read", { path: "over.txt" }), at)).toBe(
      `"over.txt" has ${bounds.fileBytes + 1} bytes; files over ${bounds.fileBytes} are not read.`
    )
    const found = yield* at.call("search", { text: "xxx", path: "." })
    expect(found.structuredContent).toMatchObject({ searched: 4, skipped: 1 })
  })
)

it.live("what is not a text is neither read nor searched", () =>
  Effect.gen(function* () {
    const at = yield* world
    yield* Effect.promise(() => writeFile(join(at.root, "nul.txt"), "needle\0needle"))
    yield* Effect.promise(() => writeFile(join(at.root, "latin.txt"), Buffer.from("needle \xe9", "latin1")))
    isRefused(yield* at.call("read", { path: "nul.txt" }), at)
    isRefused(yield* at.call("read", { path: "latin.txt" }), at)
    isRefused(yield* at.call("read", { path: "guides" }), at)
    isRefused(yield* at.call("list", { path: "readme.md" }), at)
    const found = yield* at.call("search", { text: "needle" })
    expect(found.structuredContent).toEqual({ matches: [], searched: 3, skipped: 2, truncated: false })
  })
)

// where: Windows has no FIFOs in folders
it.live.runIf(!windows)("a FIFO is refused and not waited for", () =>
  Effect.gen(function* () {
    const at = yield* world
    execFileSync("mkfifo", [join(at.root, "fifo")])
    expect(isRefused(yield* at.call("read", { path: "fifo" }), at)).toContain("neither a file nor a folder")
    expect(textOf(yield* at.call("list", {}))).not.toContain("fifo")
  })
)

it.live("search finds text in names and contents, whatever its case, and says how far it has got", () =>
  Effect.gen(function* () {
    const { client } = yield* world
    const heard: Array<Progress> = []
    const found = yield* Tools.call(client, "search", { text: "fox" }, { onProgress: (said) => void heard.push(said) })
    expect(found.structuredContent).toEqual({
      matches: [
        { path: "guides/deep/fox.txt" },
        { path: "guides/start.md", line: 2, text: "A FOX again: 狐 🦊" },
        { path: "readme.md", line: 3, text: "The quick brown fox." }
      ],
      searched: 3,
      skipped: 0,
      truncated: false
    })
    expect(JSON.parse(textOf(found))).toEqual(found.structuredContent)
    expect(heard).toEqual([
      { progress: 0, total: 3, message: "guides/deep/fox.txt" },
      { progress: 1, total: 3, message: "guides/start.md" },
      { progress: 2, total: 3, message: "readme.md" }
    ])
  }).pipe(Effect.orDie)
)

it.live("search and list give out no more than they say", () =>
  Effect.gen(function* () {
    const at = yield* world
    yield* Effect.promise(async () => {
      await writeFile(join(at.root, "many.txt"), "needle\n".repeat(1_000))
      await writeFile(join(at.root, "wide.txt"), `${"a".repeat(5_000)}thread${"b".repeat(5_000)}`)
      await mkdir(join(at.root, "crowd"))
      for (let n = 0; n < bounds.listed + 10; n++) await writeFile(join(at.root, `crowd/${n}`), "")
    })
    const some = yield* at.call("search", { text: "needle", limit: 2 })
    expect(some.structuredContent).toMatchObject({ matches: { length: 2 }, truncated: true })
    const most = yield* at.call("search", { text: "needle" })
    expect(most.structuredContent).toMatchObject({ matches: { length: bounds.matches }, truncated: true })
    const wide = yield* at.call("search", { text: "thread" })
    expect(wide.structuredContent).toMatchObject({ matches: [{ text: expect.stringMatching(/^…a+threadb+…$/) }] })
    const listed = textOf(yield* at.call("list", { path: "crowd" })).split("\n")
    expect(listed).toHaveLength(bounds.listed + 1)
    expect(listed.at(-1)).toContain("there is more")
    expect(textOf(yield* at.call("list", { depth: 1 }))).toContain("there is more")
    expect((yield* at.call("search", { text: "x", limit: bounds.matches + 1 })).isError).toBe(true)
  })
)

it.live("list shows a tree without what is hidden", () =>
  Effect.gen(function* () {
    const at = yield* world
    expect(textOf(yield* at.call("list", {}))).toBe("guides/\n  deep/\n    fox.txt\n  start.md\nreadme.md")
    expect(textOf(yield* at.call("list", { path: "guides/deep" }))).toBe("fox.txt")
  })
)

// where: Windows has no such names
it.live.runIf(!windows)("what cannot be read by its name is neither listed nor searched", () =>
  Effect.gen(function* () {
    const at = yield* world
    const names = ["forged\nreadme.md", "a\\b", "tab\t", "line\u2028", "next\u0085", "c:x", "not\uFFFDtext"]
    yield* Effect.promise(async () => {
      for (const name of names) await writeFile(join(at.root, name), "needle")
      await mkdir(join(at.root, "new\nfolder"))
      await writeFile(join(at.root, "new\nfolder/inner.txt"), "needle")
    })
    for (const path of names) isRefused(yield* at.call("read", { path }), at)
    expect(textOf(yield* at.call("list", {}))).toBe("guides/\n  deep/\n    fox.txt\n  start.md\nreadme.md")
    const found = yield* at.call("search", { text: "needle" })
    expect(found.structuredContent).toEqual({ matches: [], searched: 3, skipped: 0, truncated: false })
  })
)

it.live("every tool says that it only reads, and what each argument is for", () =>
  Effect.gen(function* () {
    const { client } = yield* world
    const { tools } = yield* Tools.list(client)
    expect(tools.map(({ name }) => name)).toEqual(["list", "search", "read"])
    for (const { annotations, inputSchema } of tools) {
      expect(annotations?.readOnlyHint).toBe(true)
      for (const described of Object.values(inputSchema.properties ?? {}))
        expect(described).toHaveProperty("description")
    }
  }).pipe(Effect.orDie)
)
