import { decodePlain, decodeReserved } from "./characters.ts"
import type { Capture } from "./match.ts"
import { isLiteral, type Part } from "./parse.ts"

/** What a URI says of its variables: no prototype, and no member for a variable without a value. */
export interface Matched {
  readonly [name: string]: string | ReadonlyArray<string> | { readonly [key: string]: string }
}

/** An object without a prototype, so that every name and key is like any other. */
const bare = <A>(): { [key: string]: A } => Object.create(null)

/**
 * The values of the variables that these stretches stand for. A variable that occurs more than once has the value of the
 * occurrence that cuts least off.
 */
export const collect = (parts: ReadonlyArray<Part>, captures: ReadonlyArray<Capture>): Matched => {
  const occurrences = parts.flatMap((part) =>
    isLiteral(part) ? [] : part.variables.map(({ most, name }) => ({ most, name, reserved: part.operator.reserved }))
  )
  const lists = new Map<number, Array<string>>()
  const maps = new Map<number, { [key: string]: string }>()
  const values = bare<Matched[string]>()
  const cuts = bare<number>()
  let lastKey = ""
  for (const { role, units, variable } of captures) {
    const { most, name, reserved } = occurrences[variable]!
    const text = reserved ? decodeReserved(units) : decodePlain(units)
    const keep = (value: Matched[string]): void => {
      if (most <= (cuts[name] ?? 0)) return
      cuts[name] = most
      values[name] = value
    }
    switch (role) {
      case "value":
        keep(text)
        break
      case "item": {
        const list = lists.get(variable) ?? []
        if (list.push(text) > 1) break
        lists.set(variable, list)
        keep(list)
        break
      }
      case "key":
        lastKey = text
        break
      case "member": {
        const map = maps.get(variable) ?? bare<string>()
        map[lastKey] = text
        if (maps.has(variable)) break
        maps.set(variable, map)
        keep(map)
        break
      }
    }
  }
  return values
}
