import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { meta } from "./support/client.ts"
import { type Argv, fixtures, fromSources, root } from "./support/programs.ts"

/** Runs a program on some lines of input, until it has answered them all. */
const run = (argv: Argv, requests: ReadonlyArray<object>) =>
  Effect.promise(async (signal) => {
    const [command, ...args] = fromSources(argv)
    const child = spawn(command, args, { cwd: root, signal, killSignal: "SIGKILL", stdio: "pipe" })
    const said = { stdout: "", stderr: "" }
    child.stdout.on("data", (part) => (said.stdout += part))
    child.stderr.on("data", (part) => (said.stderr += part))
    child.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(""))
    const [code] = await once(child, "close")
    return { ...said, code }
  })

const call = (id: number, name: string, args: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: meta }
})

describe("the programs of fixtures.json", () => {
  it("are there, for each runtime", () => {
    for (const each of Object.values(fixtures)) {
      expect(Object.keys(each)).toEqual(["node", "bun", "deno"])
      for (const argv of Object.values(each))
        for (const path of argv.filter((word) => word.endsWith(".ts"))) expect(existsSync(join(root, path))).toBe(true)
    }
  })

  for (const [runtime, argv] of Object.entries(fixtures.stdioServer)) {
    it.live(`say nothing on stdout but messages, on ${runtime}`, () =>
      Effect.gen(function* () {
        const { code, stderr, stdout } = yield* run(argv, [call(1, "noise"), call(2, "fail"), call(3, "whoami")])
        const messages = stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
        expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3])
        expect(stdout).not.toContain("SECRET-CANARY")
        expect(stderr).toContain("this is no message")
        expect(code).toBe(0)
      })
    )
  }
})
