import { readdirSync, readFileSync } from "node:fs"
import process from "node:process"

/** The processes that this one has started, as far as it was told. */
const started = new Set<number>()

/** Has whatever a process leaves behind counted as well, since that is in a group of its number. */
export const remember = (pid: number): void => {
  started.add(pid)
}

/** The parent of a process and its group; undefined when it has just gone. */
const lineage = (id: string): ReadonlyArray<number> | undefined => {
  try {
    // the name in it may hold spaces, and ends with the last parenthesis
    const stat = readFileSync(`/proc/${id}/stat`, "utf8")
    return stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .slice(1, 3)
      .map(Number)
  } catch {
    return undefined
  }
}

const isOurs = (id: string): boolean => {
  const [parent, group] = lineage(id) ?? []
  return parent === process.pid || (group !== undefined && started.has(group))
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
