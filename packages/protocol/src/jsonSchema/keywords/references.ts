import type { Check } from "../Run.ts"
import { get, type Link, type Part, schemaMap } from "../Site.ts"

const follow =
  (link: Link): Check =>
  (value, run) =>
    link.node().check(value, run)

export const reference: Part = (site) => (get(site, "$ref") === undefined ? undefined : follow(site.refer("$ref")))

/** A reference that the outermost schema with the same dynamic anchor, on the way here, takes over. */
const dynamic =
  (keyword: string): Part =>
  (site) => {
    if (get(site, keyword) === undefined) return undefined
    const link = site.refer(keyword)
    const fallback = follow(link)
    return (value, run) => {
      const anchor = link.anchor()
      if (anchor === undefined) return fallback(value, run)
      for (const scope of run.scopes) {
        run.spend(1)
        const node = scope.dynamicAnchors.get(anchor)
        if (node !== undefined) return node.check(value, run)
      }
      return fallback(value, run)
    }
  }

export const dynamicReference = dynamic("$dynamicRef")
export const recursiveReference = dynamic("$recursiveRef")

/** Schemas that only references reach. */
export const definitions =
  (keyword: string): Part =>
  (site) => {
    schemaMap(site, keyword)
    return undefined
  }
