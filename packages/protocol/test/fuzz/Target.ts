import fc from "fast-check"

/** How one run of a target is bounded and begun. */
export interface Run {
  /** The most inputs. */
  readonly inputs: number
  /** The longest that inputs are begun, in ms; one that has begun is never a failure for its time. */
  readonly ms?: number | undefined
  readonly seed: number
  /** Where in the seed's inputs to begin: what a failure has printed. */
  readonly path?: string | undefined
}

export interface Report {
  readonly name: string
  readonly inputs: number
  readonly seconds: number
  readonly seed: number
  /** The longest that one input took, in ms. */
  readonly slowest: number
  /** What does not hold, with the smallest input found, and how to see it again; undefined when all held. */
  readonly failure: string | undefined
}

/** A rule that holds for every input of a kind. */
export interface Target {
  readonly name: string
  readonly run: (run: Run) => Report
}

const shown = (thrown: unknown): string => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown))

/** Makes a target of inputs and of a rule, which throws where it does not hold. */
export const target = <A>(name: string, inputs: fc.Arbitrary<A>, rule: (input: A) => void): Target => ({
  name,
  run: ({ inputs: most, ms, path, seed }) => {
    let slowest = 0
    const timed = (input: A): void => {
      const from = performance.now()
      rule(input)
      slowest = Math.max(slowest, performance.now() - from)
    }
    const from = performance.now()
    const details = fc.check(fc.property(inputs, timed), {
      seed,
      numRuns: most,
      ...(path === undefined ? undefined : { path }),
      ...(ms === undefined ? undefined : { interruptAfterTimeLimit: ms, markInterruptAsFailure: false })
    })
    const replay = `${name}:${details.seed}:${details.counterexamplePath ?? ""}`
    return {
      name,
      inputs: details.numRuns,
      seconds: (performance.now() - from) / 1_000,
      seed: details.seed,
      slowest,
      failure: details.failed
        ? `see it again with FUZZ_REPLAY=${replay}, or pnpm fuzz --replay=${replay}\n${fc.defaultReportMessage(details) ?? ""}\n${shown(details.errorInstance)}`
        : undefined
    }
  }
})

/** Inputs of several kinds, each with its own rule. */
export const several = (...kinds: ReadonlyArray<fc.Arbitrary<Check>>): fc.Arbitrary<Check> => fc.oneof(...kinds)

/** One input with its rule: shown by the input. */
export class Check {
  readonly rule: string
  readonly holds: () => void
  private readonly input: unknown
  constructor(rule: string, input: unknown, holds: () => void) {
    this.rule = rule
    this.input = input
    this.holds = holds
  }
  [fc.toStringMethod](): string {
    return `${this.rule}: ${fc.stringify(this.input)}`
  }
}

export const check = <A>(name: string, inputs: fc.Arbitrary<A>, rule: (input: A) => void): fc.Arbitrary<Check> =>
  inputs.map((input) => new Check(name, input, () => rule(input)))

/** A new seed. */
export const anySeed = (): number => Math.floor(Math.random() * 2 ** 31)

/** The parts of what a failure says to replay. */
export const parseReplay = (text: string): { readonly name: string; readonly seed: number; readonly path: string } => {
  const [name = "", seed = "", ...path] = text.split(":")
  return { name, seed: Number(seed), path: path.join(":") }
}

/** One line: the seed and the number of inputs, for whoever wants the same run again. */
export const line = ({ inputs, name, seconds, seed, slowest }: Report): string =>
  `fuzz ${name}: ${inputs} inputs in ${seconds.toFixed(1)} s, ${Math.round(inputs / seconds)}/s, slowest ${slowest.toFixed(1)} ms, seed ${seed}`
