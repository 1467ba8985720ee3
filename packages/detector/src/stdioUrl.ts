/** A program as `stdio:` names it. */
export interface StdioUrl {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd?: string
}

const SHAPE = /^stdio:\/\/([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/i

const decode = (text: string): string | undefined => {
  try {
    const decoded = decodeURIComponent(text)
    return decoded.includes("\0") ? undefined : decoded
  } catch {
    return undefined
  }
}

/** The program: a name before any slash, or a path after three; a drive's letter stands after the third. */
const programOf = (name: string, path: string): string | undefined => {
  if (name !== "") return path === "" || path === "/" ? decode(name) : undefined
  const decoded = decode(path)
  if (decoded === undefined || decoded === "/" || decoded === "") return undefined
  return /^\/[A-Za-z]:[/\\]/.test(decoded) ? decoded.slice(1) : decoded
}

/**
 * Reads `stdio:///path/to/program?arg=a&arg=b`, or `stdio://name?arg=a` for a name that is looked up on `PATH`. Each `arg` is
 * one argument, `cwd` the folder to start in; all are percent-encoded, and `+` is itself. Gives back what is wrong as a text.
 */
export const read = (url: string): StdioUrl | string => {
  const parts = SHAPE.exec(url)
  if (parts === null) return "stdio: is followed by //name or ///path, and by nothing else but a query"
  const [, name = "", path = "", query = ""] = parts
  if (/[@:]/.test(name)) return "stdio: has no user, password or port"
  const command = programOf(name, path)
  if (command === undefined) return "stdio: names one program: stdio://name, or stdio:///path/to/it"
  const args: Array<string> = []
  let cwd: string | undefined
  for (const pair of query === "" ? [] : query.split("&")) {
    const at = pair.indexOf("=")
    const key = at < 0 ? pair : pair.slice(0, at)
    const value = decode(at < 0 ? "" : pair.slice(at + 1))
    if (value === undefined) return "a value in the query of stdio: is not percent-encoded"
    if (key === "arg") args.push(value)
    else if (key === "cwd") cwd = value
    else return "the query of stdio: has arg and cwd alone"
  }
  return { command, args, ...(cwd === undefined ? {} : { cwd }) }
}
