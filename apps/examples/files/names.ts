import { sep } from "node:path"
import { bounds } from "./bounds.ts"

/** Names that begin with a dot often hold secrets; on Windows a colon reaches a file's other streams. */
export const isHidden = (name: string): boolean => name.startsWith(".") || (sep === "\\" && name.includes(":"))

/** Control characters, and whatever else ends a line where paths are shown. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** What stands for bytes of a name that are no text, and halves of a character: neither leads back to a name. */
const noText = /[\p{Cs}\uFFFD]/u

/** The names along a path, or why it is none that is served. Nothing is decoded: a percent sign is a percent sign. */
export const split = (path: string): ReadonlyArray<string> | string => {
  if (path.length > bounds.pathLength) return `has over ${bounds.pathLength} characters`
  if (unprintable.test(path)) return "has control characters in it"
  if (noText.test(path)) return "has a name in it that is not text"
  if (path.includes("\\")) return "has a backslash in it; names are separated by /"
  if (path.startsWith("/") || /^[a-z]:/i.test(path)) return "is absolute; paths begin in the folder that is served"
  const names = path.split("/").filter((name) => name !== "" && name !== ".")
  if (names.includes("..")) return "has .. in it; only what is inside the folder is served"
  if (names.some(isHidden)) return "has a name in it that is not served"
  return names
}

/** Whether a client could ask for a path: what it could not is not shown to it either. */
export const isServed = (path: string): boolean => typeof split(path) !== "string"
