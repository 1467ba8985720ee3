import { readdirSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"

/** Whether a process is there: a zombie is not, where that can be told. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  if (process.platform !== "linux") return true
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat[stat.lastIndexOf(")") + 2] !== "Z"
  } catch {
    return false
  }
}

/** Whether a child of this process has been left as a zombie. */
export const isZombie = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat[stat.lastIndexOf(")") + 2] === "Z"
  } catch {
    return false
  }
}

/** How many children of this process have been left as zombies; 0 where that cannot be told. */
export const zombies = (): number =>
  process.platform !== "linux"
    ? 0
    : readdirSync("/proc").filter((name) => {
        if (!/^\d+$/.test(name)) return false
        try {
          const stat = readFileSync(`/proc/${name}/stat`, "utf8")
          const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
          return state === "Z" && Number(parent) === process.pid
        } catch {
          return false
        }
      }).length

/** Kills a process, if it is there. */
export const kill = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // it is gone
  }
}

/** Completes when a process is gone; a bug if it is not in 5 s. */
export const gone = (pid: number): Effect.Effect<void> =>
  Effect.suspend(() => (isAlive(pid) ? Effect.andThen(Effect.sleep(10), gone(pid)) : Effect.void)).pipe(
    Effect.timeoutOrElse({ duration: 5_000, orElse: () => Effect.die(new Error(`process ${pid} is still there`)) })
  )

/** What a child says on stderr, for `stderr` of a command. */
export const listenTo = () => {
  let text = ""
  const watchers = new Set<() => void>()
  return {
    text: () => text,
    hear: (chunk: string): void => {
      text += chunk
      for (const watcher of watchers) watcher()
    },
    /** Completes with what the pattern finds; a bug if it finds nothing in 10 s. */
    find: (pattern: RegExp): Effect.Effect<RegExpExecArray> =>
      Effect.callback<RegExpExecArray>((resume) => {
        const look = (): void => {
          const found = pattern.exec(text)
          if (found === null) return
          watchers.delete(look)
          resume(Effect.succeed(found))
        }
        watchers.add(look)
        look()
        return Effect.sync(() => watchers.delete(look))
      }).pipe(
        Effect.timeoutOrElse({ duration: 10_000, orElse: () => Effect.die(new Error(`no ${pattern} in: ${text}`)) })
      )
  }
}
