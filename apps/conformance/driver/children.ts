import { readdirSync, readFileSync } from "node:fs"
import process from "node:process"

/** The parent of a process; undefined when it has just gone. */
const parentOf = (id: string): number | undefined => {
  try {
    // the name in it may hold spaces, and ends with the last parenthesis
    const stat = readFileSync(`/proc/${id}/stat`, "utf8")
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return undefined
  }
}

/** How many processes this one has started that are still there; undefined where the system does not say. */
export const children = (): number | undefined => {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid).length
  } catch {
    return undefined
  }
}
