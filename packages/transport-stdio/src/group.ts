import { spawn, spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

export const isWindows = process.platform === "win32"

/** A process and what it has started: one process group, which a member may leave, or on Windows one tree. */
export interface Group {
  /** Sends a signal to every member. On Windows it ends them, whatever the signal, if the first is still there. */
  readonly signal: (signal: "SIGTERM" | "SIGKILL") => void
  /** Whether a member is left. On Windows only the first is known, by `leave`. */
  readonly isLiving: () => boolean
  /** The first process has ended. */
  readonly leave: () => void
}

/** Whether a process is there; a zombie is not, where that can be told. Nothing is sent to it. */
export const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch (cause) {
    // one that may not be signalled is there
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
  if (process.platform !== "linux") return true
  try {
    return isLivingState(stateOf(readFileSync(`/proc/${pid}/stat`, "utf8"))[0])
  } catch {
    return true
  }
}

/** The state of a process, its parent and its group; the name before them stands in parentheses and may hold anything. */
const stateOf = (stat: string): ReadonlyArray<string> => stat.slice(stat.lastIndexOf(")") + 2).split(" ")
const isLivingState = (state: string | undefined): boolean => state !== "Z" && state !== "X"

/** Whether a group that exists has a member that is more than a zombie; true where it cannot be told. */
const hasLiving = (id: number): boolean => {
  if (process.platform !== "linux") return true
  try {
    return readdirSync("/proc").some((name) => {
      if (!/^\d+$/.test(name)) return false
      let stat: string
      try {
        stat = readFileSync(`/proc/${name}/stat`, "utf8")
      } catch {
        return false
      }
      const [state, , group] = stateOf(stat)
      return Number(group) === id && isLivingState(state)
    })
  } catch {
    return true
  }
}

const taskkill = (pid: number): readonly [string, ReadonlyArray<string>] => [
  "taskkill",
  ["/pid", String(pid), "/t", "/f"]
]

/** The groups that are ours to end, should this process end first. */
const living = new Set<(isLast: boolean) => void>()
const endAll = (): void => {
  for (const kill of living) kill(true)
}
const remember = (kill: (isLast: boolean) => void): void => {
  if (living.size === 0) process.on("exit", endAll)
  living.add(kill)
}
const forget = (kill: (isLast: boolean) => void): void => {
  if (living.delete(kill) && living.size === 0) process.off("exit", endAll)
}

const windowsGroup = (pid: number): Group => {
  let isThere = true
  const kill = (isLast: boolean): void => {
    const [command, args] = taskkill(pid)
    if (isLast) spawnSync(command, args, { stdio: "ignore", windowsHide: true })
    else spawn(command, args, { stdio: "ignore", windowsHide: true }).on("error", () => {})
  }
  remember(kill)
  return {
    isLiving: () => isThere,
    signal: () => {
      if (isThere) kill(false)
    },
    leave: () => {
      isThere = false
      forget(kill)
    }
  }
}

const posixGroup = (pid: number): Group => {
  let hasLeft = false
  let isOver = false
  const signal = (name: "SIGTERM" | "SIGKILL"): void => {
    if (isOver) return
    try {
      process.kill(-pid, name)
    } catch {
      // nobody is left, or nobody we may signal
    }
  }
  const kill = (): void => signal("SIGKILL")
  const isLiving = (): boolean => {
    if (isOver || !hasLeft) return !isOver
    try {
      process.kill(-pid, 0)
      isOver = !hasLiving(pid)
    } catch {
      isOver = true
    }
    if (isOver) forget(kill)
    return !isOver
  }
  remember(kill)
  return {
    signal,
    isLiving,
    leave: () => {
      hasLeft = true
      // asked at once: when no other is there, the number may soon name a stranger's group
      isLiving()
    }
  }
}

/**
 * The group of a process that was started with one of its own.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio#shutdown
 */
export const group = (pid: number): Group => (isWindows ? windowsGroup(pid) : posixGroup(pid))
