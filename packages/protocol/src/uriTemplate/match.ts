import { isPlain, type Units } from "./characters.ts"
import { isIn, type Program, type Role } from "./compile.ts"

/** A stretch of a URI that a variable stands for. */
export interface Capture {
  readonly variable: number
  readonly role: Role
  readonly units: Units
}

/** The highest score that fits. */
const MOST = 0xffff

const startsWith = (units: Units, at: number, start: Units): boolean => {
  if (at + start.length > units.length) return false
  for (let k = 0; k < start.length; k++) if (units[at + k] !== start[k]) return false
  return true
}

/** Whether one of these names begins here, and no longer one. */
const isName = (units: Units, at: number, names: ReadonlyArray<Units>): boolean =>
  // a name only begins after a mark, which spares looking at each of its characters again
  !isPlain(units[at - 1] ?? 0) &&
  names.some((name) => startsWith(units, at, name) && !isPlain(units[at + name.length] ?? 0))

/** The best score among the places that a stretch may end at; told of each place, from the last one to the first. */
interface Window {
  /** Forgets all places: the stretch cannot go on from here. */
  readonly reset: () => void
  readonly put: (place: number, score: number) => void
  /** The best of what has been put and is not too far from `place`. */
  readonly best: (place: number) => number
}

const openWindow = (): Window => {
  let top = 0
  return {
    reset: () => void (top = 0),
    put: (_, score) => void (top = Math.max(top, score)),
    best: () => top
  }
}

const limitedWindow = (most: number, size: number): Window => {
  // the nearest place last, each place better than all that are nearer
  const places = new Uint32Array(size + 1)
  const scores = new Uint16Array(size + 1)
  let from = 0
  let to = 0
  return {
    reset: () => void (from = to),
    put: (place, score) => {
      while (to > from && scores[to - 1]! <= score) to--
      places[to] = place
      scores[to++] = score
    },
    best: (place) => {
      while (from < to && places[from]! - place > most) from++
      return from < to ? scores[from]! : 0
    }
  }
}

/**
 * For each step and place: 0 when the rest of the URI is not what can follow, else one more than the most variables that
 * can have a value in it. Filled in one pass from the end, so that its cost is steps times units.
 */
const scoresOf = (steps: Program["steps"], units: Units): ReadonlyArray<Uint16Array> => {
  const size = units.length
  const scores = steps.map(() => new Uint16Array(size + 1))
  const windows = steps.map((step) =>
    step.kind === "span" && step.most < size ? limitedWindow(step.most, size) : openWindow()
  )
  const scoreAt = (index: number, place: number): number => {
    const step = steps[index]!
    switch (step.kind) {
      case "end":
        return place === size ? 1 : 0
      case "text":
        return startsWith(units, place, step.units) ? scores[step.next]![place + step.units.length]! : 0
      case "use": {
        const next = scores[step.next]![place]!
        return next === 0 ? 0 : Math.min(next + 1, MOST)
      }
      case "fork":
        return Math.max(scores[step.first]![place]!, scores[step.second]![place]!)
      case "span": {
        const window = windows[index]!
        const next = scores[step.next]![place]!
        if (place === size || !isIn(step, units[place]!)) window.reset()
        if (step.least === 0) window.put(place, next)
        const best = window.best(place)
        if (step.least === 1) window.put(place, next)
        return best > 0 && isName(units, place, step.except) ? 0 : best
      }
    }
  }
  for (let place = size; place >= 0; place--)
    for (let index = 0; index < steps.length; index++) scores[index]![place] = scoreAt(index, place)
  return scores
}

/**
 * The stretches of a URI, in their order; undefined when the template cannot make it. Of all ways the one that gives the
 * most variables a value is taken; among those, from the left, each stretch is the longest.
 */
export const captures = ({ start, steps }: Program, all: Units): ReadonlyArray<Capture> | undefined => {
  const opening = steps[start]!
  const isText = opening.kind === "text"
  if (isText && !startsWith(all, 0, opening.units)) return undefined
  const units = isText ? all.subarray(opening.units.length) : all
  const scores = scoresOf(steps, units)
  const found: Array<Capture> = []
  let place = 0
  let index = isText ? opening.next : start
  if (scores[index]![0] === 0) return undefined
  for (let step = steps[index]!; step.kind !== "end"; step = steps[index]!) {
    if (step.kind === "fork") {
      const isFirst = scores[step.first]![place]! >= scores[step.second]![place]!
      index = isFirst ? step.first : step.second
      continue
    }
    if (step.kind === "text") place += step.units.length
    if (step.kind === "span") {
      const best = scores[index]![place]
      const from = place
      while (place < units.length && place - from < step.most && isIn(step, units[place]!)) place++
      while (scores[step.next]![place] !== best) place--
      found.push({ variable: step.variable, role: step.role, units: units.subarray(from, place) })
    }
    index = step.next
  }
  return found
}
