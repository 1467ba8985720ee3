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

/** The same program, whose standard output is a file that has no room for a byte. */
export const onFullDisk = ({
  args,
  command
}: {
  readonly command: string
  readonly args: ReadonlyArray<string>
}): { readonly command: string; readonly args: Array<string> } => ({
  command: "sh",
  args: [
    "-c",
    `file=$(mktemp); exec 3>"$file"; rm "$file"; trap '' XFSZ; ulimit -f 0; exec "$0" "$@" 1>&3 3>&-`,
    command,
    ...args
  ]
})
