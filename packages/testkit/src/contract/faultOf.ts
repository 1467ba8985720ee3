import type { Fault } from "../faults/Rule.ts"
import type { Strike } from "./Wire.ts"

/** What a strike is in a script of `Faults`; undefined for what no wire does by itself: `expire` and `crash`. */
export const faultOf = (strike: Strike): Fault | undefined => {
  switch (strike) {
    case "reset":
      return { _tag: "Reset" }
    case "half":
      return { _tag: "Half", last: true }
    case "drop":
      return { _tag: "Drop" }
    case "delay":
      return { _tag: "Delay", ms: 200 }
    case "duplicate":
      return { _tag: "Duplicate" }
    case "blackHole":
      return { _tag: "BlackHole" }
    default:
      return undefined
  }
}
