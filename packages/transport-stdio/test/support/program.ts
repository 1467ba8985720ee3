import { fileURLToPath } from "node:url"

/** How this runtime runs one of the fixtures: the command, and its arguments. */
export const program = (
  name: string,
  ...args: ReadonlyArray<string>
): { readonly command: string; readonly args: Array<string> } => ({
  command: process.execPath,
  args: [
    ...("Deno" in globalThis ? ["run", "-A"] : []),
    "--conditions=@effective-mcp/source",
    fileURLToPath(new URL(`../fixtures/${name}.ts`, import.meta.url)),
    ...args
  ]
})

/** A small program in the language of the system's shell. */
export const shell = (script: string): { readonly command: string; readonly args: Array<string> } => ({
  command: "sh",
  args: ["-c", script]
})
