import type { JsonObject } from "../JsonRpc.ts"
import { Evaluated } from "./Evaluated.ts"
import type { Failure, WorkExceeded } from "./ValueError.ts"
import { pointer } from "./words.ts"

/** Whether a value fits. Fails by `false`, after `run.fail` where failures are wanted. */
export type Check = (value: unknown, run: Run) => boolean

/** A schema that dynamic references may lead into: what its dynamic anchors stand for. */
export interface Scope {
  readonly dynamicAnchors: ReadonlyMap<string, { readonly check: Check }>
}

export interface Bounds {
  readonly steps: number
  readonly depth: number
  readonly patternMs: number
}

/** A bound was reached. Thrown, since no answer that a check could give is true; never leaves `run`. */
export class Exceeded {
  readonly what: WorkExceeded["what"]
  constructor(what: WorkExceeded["what"]) {
    this.what = what
  }
}

/** Enough failures have been found. Thrown; never leaves `run`. */
const full = Symbol("full")

/** Failures of one value. */
const FAILURES = 20
/** Steps that noting one takes. */
const NOTE = 10
/** Members of an object that are listed in one step. */
const LISTED = 4

const note = (failures: Array<Failure>, failure: Failure): void => {
  const { keyword, message, path } = failure
  if (!failures.some((known) => known.path === path && known.keyword === keyword && known.message === message))
    failures.push(failure)
}

/** The state of checking one value: what is left of the bounds, where it is, what was found. */
export class Run {
  /** Absent while only the answer counts. */
  failures: Array<Failure> | undefined
  /** What has been looked at of the current value; absent where nobody asks. */
  evaluated: Evaluated | undefined
  /** Schema resources on the way here, outermost first. Only kept where a reference is dynamic. */
  readonly scopes: Array<Scope> = []
  /** Whether there are failures beyond those that are kept. */
  more = false
  /** What is left for matching patterns, in ms. */
  patternMs: number
  private readonly path: Array<string | number> = []
  private top: Array<Failure> | undefined
  private steps: number
  private depth: number

  constructor(bounds: Bounds) {
    this.steps = bounds.steps
    this.depth = bounds.depth
    this.patternMs = bounds.patternMs
  }

  spend(steps: number): void {
    if ((this.steps -= steps) < 0) throw new Exceeded("steps")
  }

  spendPattern(ms: number): void {
    if ((this.patternMs -= ms) < 0) throw new Exceeded("patterns")
  }

  /** The names of an object's members. */
  names(value: JsonObject): ReadonlyArray<string> {
    const names = Object.keys(value)
    this.spend(Math.ceil(names.length / LISTED))
    return names
  }

  enter(): void {
    if (--this.depth < 0) throw new Exceeded("depth")
    this.spend(1)
  }

  leave(): void {
    this.depth++
  }

  /** Checks a part of the current value. */
  child(check: Check, value: unknown, key: string | number): boolean {
    const { evaluated } = this
    this.evaluated = undefined
    if (this.failures === undefined) {
      const fits = check(value, this)
      this.evaluated = evaluated
      return fits
    }
    this.path.push(key)
    const fits = check(value, this)
    this.path.pop()
    this.evaluated = evaluated
    return fits
  }

  /** Whether something fits, when it is not wrong if it does not. */
  test(check: Check, value: unknown): boolean {
    const { evaluated, failures } = this
    this.evaluated = undefined
    this.failures = undefined
    const fits = check(value, this)
    this.evaluated = evaluated
    this.failures = failures
    return fits
  }

  /** The same for a schema of the current value: what it looked at counts if it fits. Its failures go to `failures`. */
  attempt(check: Check, value: unknown, failures?: Array<Failure>): boolean {
    const outer = this.evaluated
    const before = this.failures
    const inner = outer === undefined ? undefined : new Evaluated()
    this.evaluated = inner
    this.failures = failures
    const fits = check(value, this)
    this.evaluated = outer
    this.failures = before
    if (fits && outer !== undefined && inner !== undefined) this.spend(outer.add(inner))
    return fits
  }

  /** Checks the current value with a fresh account of what was looked at, for keywords that ask for it. */
  fresh(check: Check, value: unknown): boolean {
    const outer = this.evaluated
    const inner = new Evaluated()
    this.evaluated = inner
    const fits = check(value, this)
    this.evaluated = outer
    if (fits && outer !== undefined) this.spend(outer.add(inner))
    return fits
  }

  /** Notes a failure at the current place. Always false. */
  fail(keyword: string, message: string): false {
    const { failures } = this
    if (failures === undefined) return false
    this.spend(NOTE)
    if (this.hasRoom(failures)) note(failures, { path: pointer(this.path), keyword, message })
    return false
  }

  /** Takes over failures of an attempt. */
  adopt(found: ReadonlyArray<Failure>): void {
    const { failures } = this
    if (failures === undefined) return
    for (const failure of found) if (this.hasRoom(failures)) note(failures, failure)
  }

  /** The current place. */
  here(): string {
    return pointer(this.path)
  }

  /** All failures that the check finds, as far as they are kept and the bounds reach. */
  collect(check: Check, value: unknown): ReadonlyArray<Failure> {
    const failures: Array<Failure> = []
    this.failures = failures
    this.top = failures
    try {
      check(value, this)
    } catch (thrown) {
      if (thrown !== full && !(thrown instanceof Exceeded)) throw thrown
      this.more = true
      // it is known to be wrong, but finding out where took too much
      if (failures.length === 0) failures.push({ path: "", keyword: "schema", message: "must match the schema" })
    }
    return failures
  }

  private hasRoom(failures: ReadonlyArray<Failure>): boolean {
    if (failures.length < FAILURES) return true
    if (failures === this.top) throw full
    return false
  }
}
