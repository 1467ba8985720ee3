import { seeded } from "./seeded.ts"
import type { Chances, Direction, Fault, Fired, Rule, Script, When } from "./Rule.ts"
import type { Seen } from "./sight.ts"

/** How many of the last faults are kept. */
const KEPT = 1000

const isAbout = ({ direction, kind, method }: When, way: Direction, seen: Seen): boolean =>
  (direction === undefined || direction === way) &&
  (kind === undefined || kind === seen.kind) &&
  (method === undefined || method === seen.method)

/** The faults that chance may bring, in the order in which they share a number from 0 to 1. */
const byChance = (chances: Chances): ReadonlyArray<readonly [chance: number, make: (luck: number) => Fault]> => {
  const { delayMs = 100 } = chances
  return [
    [chances.drop ?? 0, () => ({ _tag: "Drop" })],
    [chances.delay ?? 0, (luck) => ({ _tag: "Delay", ms: Math.ceil(luck * delayMs) })],
    [chances.duplicate ?? 0, () => ({ _tag: "Duplicate" })],
    [chances.reorder ?? 0, (luck) => ({ _tag: "Reorder", by: 1 + Math.floor(luck * 4), atMostMs: delayMs })],
    [chances.half ?? 0, () => ({ _tag: "Half" })],
    [chances.reset ?? 0, () => ({ _tag: "Reset" })],
    [chances.blackHole ?? 0, () => ({ _tag: "BlackHole" })],
    [chances.slowReader ?? 0, (luck) => ({ _tag: "SlowReader", everyMs: Math.ceil(luck * delayMs) })]
  ]
}

const isChance = (value: number): boolean => value >= 0 && value <= 1
const isTime = (ms: number): boolean => ms >= 0 && Number.isFinite(ms)
const isCount = (n: number): boolean => Number.isSafeInteger(n) && n >= 1

const mistakeIn = (fault: Fault): string | undefined => {
  switch (fault._tag) {
    case "Delay":
      return isTime(fault.ms) ? undefined : "ms is no time"
    case "SlowReader":
      return isTime(fault.everyMs) ? undefined : "everyMs is no time"
    case "Duplicate":
      return isCount(fault.copies ?? 2) ? undefined : "copies is no count"
    case "Reorder":
      if (!isCount(fault.by ?? 1)) return "by is no count"
      return isTime(fault.atMostMs ?? 0) ? undefined : "atMostMs is no time"
    default:
      return undefined
  }
}

/** Refuses a script that cannot mean anything: a mistake of the author, it throws. */
const refuseMistakes = ({ capacity = 1, chances = {}, rules = [] }: Script): void => {
  const mistakes = rules.flatMap(({ do: fault, when: { nth = 1 } }, i) => {
    const mistake = isCount(nth) ? mistakeIn(fault) : "nth is no count"
    return mistake === undefined ? [] : [`rule ${i + 1}: ${mistake}`]
  })
  const odds = byChance(chances).map(([chance]) => chance)
  if (!odds.every(isChance) || odds.reduce((sum, chance) => sum + chance, 0) > 1 + Number.EPSILON * 8) {
    mistakes.push("chances lie between 0 and 1, and so does their sum")
  }
  if (!isTime(chances.delayMs ?? 0)) mistakes.push("delayMs is no time")
  if (!isCount(capacity)) mistakes.push("capacity is no count")
  if (mistakes.length > 0) throw new Error(`a script of faults is wrong: ${mistakes.join("; ")}`)
}

/** Decides what strikes which message, and keeps what did. */
export const makeChoice = (script: Script) => {
  refuseMistakes(script)
  const { chances = {}, seed = 0 } = script
  const rules = [...(script.rules ?? [])]
  const counts = rules.map(() => 0)
  const odds = byChance(chances)
  // one each: how the two directions interleave must not matter
  const luck = { in: seeded(seed), out: seeded(~seed) }
  const passed = { in: 0, out: 0 }
  const fired: Array<Fired> = []
  let isCalm = false

  const byRule = (direction: Direction, seen: Seen): Fault | undefined => {
    let chosen: Fault | undefined
    rules.forEach((rule, i) => {
      if (!isAbout(rule.when, direction, seen)) return
      const n = (counts[i] = counts[i]! + 1)
      if (chosen === undefined && (rule.when.nth ?? n) === n) chosen = rule.do
    })
    return chosen
  }
  const byLuck = (direction: Direction, seen: Seen): Fault | undefined => {
    // always two, whatever the script says, so that one more chance does not change all that follows
    let left = luck[direction]()
    const amount = luck[direction]()
    if (isCalm || !isAbout(chances.among ?? {}, direction, seen)) return undefined
    for (const [chance, make] of odds) {
      if (left < chance) return make(amount)
      left -= chance
    }
    return undefined
  }
  return {
    fired,
    /** One more rule, which counts from now on and comes before all others. */
    add: (rule: Rule): void => {
      refuseMistakes({ rules: [rule] })
      rules.unshift(rule)
      counts.unshift(0)
    },
    calm: (): void => {
      isCalm = true
    },
    /** The rules that were about no message, or not about as many as `nth` asks for. */
    idle: (): ReadonlyArray<number> => rules.flatMap(({ when: { nth = 1 } }, i) => (counts[i]! < nth ? [i + 1] : [])),
    choose: (direction: Direction, seen: Seen): Fault | undefined => {
      const at = ++passed[direction]
      const lucky = byLuck(direction, seen)
      const fault = byRule(direction, seen) ?? lucky
      if (fault === undefined) return undefined
      if (fired.push({ direction, at, kind: seen.kind, method: seen.method?.slice(0, 100), fault }) > KEPT)
        fired.shift()
      return fault
    }
  }
}

export type Choice = ReturnType<typeof makeChoice>
