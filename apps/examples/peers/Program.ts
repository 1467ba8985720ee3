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

/** How a program is started that others can reach. */
const serving = (path: string, ...args: ReadonlyArray<string>): Program => {
  const { args: started, command } = here(path, ...args)
  return { command, args: runtime === "deno" ? ["run", "--allow-net", ...started.slice(1)] : started }
}

/** A path in this package, from this folder. */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The files server, on this project's own docs. */
export const filesServer = here(at("../files/main.ts"), at("../../../docs"))

/** The server of ten lines. */
export const calculatorServer = here(at("../calculator.ts"))

const everything = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js")

/** The reference server of the protocol's own project, which has one of everything. */
export const everythingServer = here(everything)

/** The same, over HTTP on the port that `PORT` names. */
export const everythingOverHttp = serving(everything, "streamableHttp")

/** The same, over HTTP+SSE. */
export const everythingOverSse = serving(everything, "sse")

/** The calculator over Streamable HTTP and over HTTP+SSE, on one port. */
export const calculatorBeside = serving(at("../http/beside.ts"))
export const calculatorInExpress = serving(at("../http/besideExpress.ts"))

/** The server whose features change. */
export const notebookServer = here(at("../notebook/main.ts"))

/** A server of another SDK that has what `servers/Offer.ts` says. */
export type Other = "officialV1" | "officialV2" | "effectAi"

export const overStdio = (peer: Other): Program => here(at(`servers/${peer}.ts`), "stdio")

/** The same over HTTP; it says where. */
export const overHttp = (peer: Other, how: "http" | "stateless" | "sse" = "http"): Program =>
  serving(at(`servers/${peer}.ts`), how)
