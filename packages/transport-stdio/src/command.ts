import type { FrameLimits } from "./reading.ts"

/** A program to start, and how. No shell is involved: each argument reaches the program as it is. */
export interface Command extends FrameLimits {
  /** A path, or a name that is looked up on `PATH`. On Windows the names of batch files (`npx`) work as well. */
  readonly command: string
  /** Default none. */
  readonly args?: ReadonlyArray<string> | undefined
  /** Environment variables: laid over those of this process, or all there are when `extendEnv` is false. */
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Default true. */
  readonly extendEnv?: boolean | undefined
  /** The folder it starts in. Default this process's own. */
  readonly cwd?: string | undefined
  /**
   * What becomes of its standard error, which is read at all times: `"tail"` keeps the last of it for errors,
   * a function is given the text as it comes as well, and `onLine` one line at a time, without its end, a longer one in
   * pieces of 64 Ki characters; `"inherit"` leaves it to this process's own and keeps nothing. Default `"tail"`.
   */
  readonly stderr?:
    | "tail"
    | "inherit"
    | ((chunk: string) => void)
    | { readonly onLine: (line: string) => void }
    | undefined
  /** Bytes of its standard error that are kept. Default 64 KiB. */
  readonly stderrBytes?: number | undefined
  /** How long it may take to leave, in ms: after its input has closed, and again after TERM. Default 2,000. */
  readonly graceMs?: number | undefined
  /** Messages of one exchange that its listener has not heard yet. Default 4,096. */
  readonly mailbox?: number | undefined
  /** The same in bytes, about. Default 4 MiB. */
  readonly mailboxBytes?: number | undefined
  /** Messages outside any exchange that nobody has read yet. Default 1,024. */
  readonly unread?: number | undefined
}

type Variables = Readonly<Record<string, string | undefined>>

/** The variables a program starts with. Windows knows one spelling of a name only: the command's own wins. */
export const environment = (
  { env = {}, extendEnv = true }: Pick<Command, "env" | "extendEnv">,
  parent: Variables,
  isWindows: boolean
): Variables => {
  if (!extendEnv) return env
  if (!isWindows) return { ...parent, ...env }
  const set = new Set(Object.keys(env).map((name) => name.toUpperCase()))
  const inherited = Object.entries(parent).filter(([name]) => !set.has(name.toUpperCase()))
  return { ...Object.fromEntries(inherited), ...env }
}
