import { readdirSync, readFileSync } from "node:fs"
import process from "node:process"

/** The processes that this one has started, as far as it was told. */
const started = new Set<number>()

/** Has whatever a process leaves behind counted as well, since that is in a group of its number. */
export const remember = (pid: number): void => {
  started.add(pid)
}

interface Found {
  readonly parent: number
  readonly group: number
  /** It has ended, and whoever it was left to has not heard of that yet. */
  readonly isDead: boolean
}

/** What the system says of a process; undefined when it has just gone. */
const look = (id: string): Found | undefined => {
  try {
    // the name in it may hold spaces, and ends with the last parenthesis
    const stat = readFileSync(`/proc/${id}/stat`, "utf8")
    const [state, parent, group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return { parent: Number(parent), group: Number(group), isDead: state === "Z" || state === "X" }
  } catch {
    return undefined
  }
}

const isOurs = (id: string): boolean => {
  const found = look(id)
  if (found === undefined) return false
  return found.parent === process.pid || (started.has(found.group) && !found.isDead)
}

const ours = (): ReadonlyArray<string> => readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOurs(name))

/** Remembers all that this process has started and that is still there, where the system says. */
export const rememberAll = (): void => {
  try {
    for (const id of ours()) remember(Number(id))
  } catch {
    // a system without that
  }
}

/** How many processes are still there that this one has started, or they have; undefined where the system does not say. */
export const children = (): number | undefined => {
  try {
    return ours().length
  } catch {
    return undefined
  }
}
