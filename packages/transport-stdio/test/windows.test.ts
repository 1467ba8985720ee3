import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { batchArgs, isBatch, isSafe } from "../src/batch.ts"
import { environment } from "../src/command.ts"

interface Parsed {
  readonly file: string | undefined
  readonly args: ReadonlyArray<string>
}
type Parse = (command: string, args: ReadonlyArray<string>, options: object) => Parsed

/** `cross-spawn` as it is on Windows: it looks at the platform when it is loaded. */
const loadOnWindows = (): Parse => {
  const load = createRequire(createRequire(import.meta.url).resolve("cross-spawn"))
  const own = Object.getOwnPropertyDescriptor(process, "platform")!
  const forget = (): void => {
    for (const path of Object.keys(load.cache))
      if (/cross-spawn|[\\/]which[\\/]|isexe/.test(path)) delete load.cache[path]
  }
  forget()
  Object.defineProperty(process, "platform", { value: "win32", configurable: true, enumerable: true })
  try {
    return (load("./index.js") as { readonly _parse: Parse })._parse
  } finally {
    Object.defineProperty(process, "platform", own)
    forget()
  }
}

const variables: Record<string, string> = { PATH: "C:\\Windows", CD: "C:\\here" }

/** What `cmd.exe` makes of the variables in a line; in a batch file `%*` has its arguments put in, and nothing else is read twice. */
const expand = (text: string): string => {
  let out = ""
  for (let at = 0; at < text.length;) {
    const end = text[at] === "%" ? text.indexOf("%", at + 1) : -1
    const [, name = "", part] = end < 0 ? [] : (/^([^:]*)(:~,)?$/.exec(text.slice(at + 1, end)) ?? [])
    const value = variables[name.toUpperCase()]
    if (value === undefined) out += text[at++]
    else {
      out += part === undefined ? value : ""
      at = end + 1
    }
  }
  return out
}

/** How `cmd.exe` reads a line: carets go, and what stands outside quotes may end the command. */
const readByShell = (text: string): string => {
  let [out, isQuoted] = ["", false]
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') isQuoted = !isQuoted
    if (!isQuoted && char === "^") out += text[++at] ?? ""
    else if (!isQuoted && "&|<>".includes(char)) throw new Error(`the shell reads ${text.slice(at)}`)
    else out += char
  }
  return out
}

/** How a program splits its command line: `CommandLineToArgvW`, and the C runtime since 2008. */
const toArgs = (line: string): Array<string> => {
  const args: Array<string> = []
  let [arg, isQuoted, isOpen] = ["", false, false]
  for (let at = 0; at < line.length; at++) {
    const slashes = /^\\*/.exec(line.slice(at))![0].length
    if (line[at + slashes] === '"') {
      arg += "\\".repeat(slashes >> 1)
      at += slashes
      isOpen = true
      if (slashes % 2 === 1) arg += '"'
      else if (isQuoted && line[at + 1] === '"') {
        arg += '"'
        at += 1
      } else isQuoted = !isQuoted
    } else if (!isQuoted && /[ \t]/.test(line[at]!)) {
      if (isOpen) args.push(arg)
      ;[arg, isOpen] = ["", false]
    } else {
      arg += line[at]
      isOpen = true
    }
  }
  return isOpen ? [...args, arg] : args
}

/** What a program gets that a batch file hands `%*` on to, when `cmd.exe` is given these arguments verbatim. */
const throughBatch = (args: ReadonlyArray<string>): Array<string> => {
  const command = args.at(-1)!
  expect(command).toMatch(/^"[^]*"$/)
  const line = readByShell(expand(command.slice(1, -1)))
  const rest = /^(?:"[^"]*"|[^\s"]+)(.*)$/s.exec(line)![1]!
  return toArgs(readByShell(`program ${rest}`)).slice(1)
}

const args = ["a b", "c&d", "e%PATH%", "f^g", 'h"i']
const rotations = args.map((_, by) => [...args.slice(by), ...args.slice(0, by)])

const shim = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "stdio-"))
    writeFileSync(join(folder, "tool.cmd"), "@node echo.js %*\r\n")
    chmodSync(join(folder, "tool.cmd"), 0o755)
    const pathext = process.env.PATHEXT
    process.env.PATHEXT = ".EXE;.cmd"
    return { folder, pathext }
  }),
  ({ folder, pathext }) =>
    Effect.sync(() => {
      rmSync(folder, { recursive: true, force: true })
      if (pathext === undefined) delete process.env.PATHEXT
      else process.env.PATHEXT = pathext
    })
)

it.effect("STD-17 a bare name leads to a batch file on PATH, and every argument arrives as it is, in any order", () =>
  Effect.gen(function* () {
    const { folder } = yield* shim
    const parse = loadOnWindows()
    const { file } = parse("tool", args, { env: { PATH: folder } })
    expect(file).toBe(join(folder, "tool.cmd"))
    expect(isBatch(file!)).toBe(true)
    const awkward = ["", "\\", 'a\\"', "C:\\x\\", '"&calc&"', "%", "%%", "100%", "a%b%c", "!x!", "(", "é🎉", "\t"]
    for (const each of [...rotations, awkward, [...awkward].reverse()]) {
      expect(throughBatch(batchArgs(file!, each))).toEqual(each)
    }
  })
)

it.effect("STD-17 what cross-spawn makes of a batch file outside node_modules depends on the order", () =>
  Effect.gen(function* () {
    const { folder } = yield* shim
    const parse = loadOnWindows()
    const through = (each: ReadonlyArray<string>) => throughBatch(parse("tool", each, { env: { PATH: folder } }).args)
    expect(through(args)).toEqual(args)
    expect(() => through(['h"i', "c&calc"])).toThrow("the shell reads &calc")
  })
)

it("STD-17 a line break cannot be an argument of a batch file", () => {
  expect(["a b", '"', "%", "^", ""].every(isSafe)).toBe(true)
  expect(["a\nb", "a\r", "\0"].some(isSafe)).toBe(false)
})

it("T-12 on Windows the spelling of a variable's name makes no second one", () => {
  const parent = { Path: "C:\\old", Home: "C:\\me" }
  expect(environment({ env: { PATH: "C:\\new" } }, parent, true)).toEqual({ PATH: "C:\\new", Home: "C:\\me" })
  expect(environment({ env: { PATH: "/new" } }, parent, false)).toEqual({ ...parent, PATH: "/new" })
  expect(environment({ env: { PATH: "/new" }, extendEnv: false }, parent, true)).toEqual({ PATH: "/new" })
  expect(environment({}, parent, true)).toEqual(parent)
})
