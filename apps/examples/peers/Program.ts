import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { options, runtime } from "./runtimes.ts"

/** A program, and what it is started with. */
export interface Program {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** How a program is started on the runtime that runs this. */
const here = (path: string, ...args: ReadonlyArray<string>): Program => ({
  command: process.execPath,
  args: [...options[runtime], path, ...args]
})

/** A path in this package, from this folder. */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The files server, on this project's own docs. */
export const filesServer = here(at("../files/main.ts"), at("../../../docs"))

/** The server of ten lines. */
export const calculatorServer = here(at("../calculator.ts"))

/** The reference server of the protocol's own project, which has one of everything. */
export const everythingServer = here(
  createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js")
)

/** The server whose features change. */
export const notebookServer = here(at("../notebook/main.ts"))
