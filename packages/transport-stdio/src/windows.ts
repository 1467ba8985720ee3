import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process"
import crossSpawn from "cross-spawn"
import { batchArgs, isBatch, isSafe } from "./batch.ts"

interface Parsed {
  /** What a name leads to, when it leads to anything. */
  readonly file: string | undefined
}
type Parse = (command: string, args: ReadonlyArray<string>, options: SpawnOptions) => Parsed

const failure = (message: string, code: string): Error => Object.assign(new Error(message), { code })

/**
 * Starts a program on Windows, where a name may lead to a batch file, which needs `cmd.exe`, and to a script with a
 * `#!` line. Throws when it leads nowhere, which would show itself only later.
 *
 * `cross-spawn` finds the file. It does not start batch files: its quoting lets a double quote in an argument end the
 * quotes around the next, once the file hands `%*` on.
 */
export const startOnWindows = (command: string, args: ReadonlyArray<string>, options: SpawnOptions): ChildProcess => {
  const { _parse } = crossSpawn as unknown as { readonly _parse: Parse } // cast: exported, but not in its types
  const { file } = _parse(command, args, options)
  if (file === undefined) throw failure(`spawn ${command} ENOENT`, "ENOENT")
  if (!isBatch(file)) return crossSpawn(command, args, options)
  if (!args.every(isSafe)) throw failure("a batch file takes no line break in an argument", "EINVAL")
  return spawn(process.env.comspec ?? "cmd.exe", batchArgs(file, args), { ...options, windowsVerbatimArguments: true })
}
