/** What a name stands for; undefined when it is not set. */
export type Variables = (name: string) => string | undefined

/** A text with its variables in, or the first that is not set. */
export type Expanded =
  | { readonly text: string; readonly used: ReadonlyArray<string> }
  | { readonly unset: string }
  | { readonly fault: string }

const NAME = /^(?:env:)?([A-Za-z_][\w.-]*|input:[\w.-]+)(?::-([^]*))?$/

/**
 * Puts values in for `${NAME}`, `${env:NAME}` and `${NAME:-default}`, once: what a value holds is not looked at again. An
 * empty value counts as none where there is a default, as in a shell. `$${` is a `${` that stays.
 */
export const expand = (text: string, variables: Variables): Expanded => {
  const used: Array<string> = []
  let out = ""
  let at = 0
  for (;;) {
    const open = text.indexOf("${", at)
    if (open < 0) return { text: out + text.slice(at), used }
    if (open > at && text[open - 1] === "$") {
      out += `${text.slice(at, open - 1)}\${`
      at = open + 2
      continue
    }
    const close = text.indexOf("}", open)
    const [whole, name, fallback] = close < 0 ? [] : (NAME.exec(text.slice(open + 2, close)) ?? [])
    if (whole === undefined || name === undefined)
      return { fault: "holds a ${ that names no variable; write $${ for the text itself" }
    const set = variables(name)
    const value = set === undefined || (set === "" && fallback !== undefined) ? fallback : set
    if (value === undefined) return { unset: name }
    if (set !== undefined && set !== "") used.push(set)
    out += text.slice(at, open) + value
    at = close + 1
  }
}
