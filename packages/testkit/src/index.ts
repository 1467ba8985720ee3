export * as Fixture from "./Fixture.ts"
export { Mismatch } from "./Mismatch.ts"
export { type End, type Options as PairOptions, pair } from "./pair.ts"
export * as TransportContract from "./TransportContract.ts"
