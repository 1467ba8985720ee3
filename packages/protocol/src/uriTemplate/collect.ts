import { decodePlain, decodeReserved } from "./characters.ts"
import type { Capture } from "./match.ts"
import { isLiteral, type Part } from "./parse.ts"

/** What a URI says of its variables: no prototype, and no member for a variable without a value. */
export interface Matched {
  readonly [name: string]: string | ReadonlyArray<string> | ReadonlyMap<string, string>
}

/** An object without a prototype, so that every name is like any other. */
const bare = <A>(): { [name: string]: A } => Object.create(null)

/**
 * The values of the variables that these stretches stand for. A variable that occurs more than once has the value of the
 * occurrence that cuts least off.
 */
export const collect = (parts: ReadonlyArray<Part>, captures: ReadonlyArray<Capture>): Matched => {
  const occurrences = parts.flatMap((part) =>
    isLiteral(part) ? [] : part.variables.map(({ most, name }) => ({ most, name, reserved: part.operator.reserved }))
  )
  const values = bare<Matched[string]>()
  const cuts = bare<number>()
  let last = -1
  let key = ""
  let list: Array<string> = []
  let map = new Map<string, string>()
  for (const { role, units, variable } of captures) {
    const { most, name, reserved } = occurrences[variable]!
    const text = reserved ? decodeReserved(units) : decodePlain(units)
    if (variable !== last) {
      list = []
      map = new Map()
      last = variable
    }
    if (role === "key") {
      key = text
      continue
    }
    if (role === "item") list.push(text)
    if (role === "member") map.set(key, text)
    if (most > (cuts[name] ?? 0)) {
      cuts[name] = most
      values[name] = role === "value" ? text : role === "item" ? list : map
    }
  }
  return values
}
