import { expect } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { checker } from "../../src/revision/check.ts"

/**
 * A check keeps a message as the very object that it was. Decoded and encoded by the schema alone, it is the same but for
 * members that the schema does not name.
 */
export const expectCarried = (schema: Schema.Top, message: unknown): void => {
  const codec = schema as Schema.Codec<unknown> // cast: no definition needs anything
  const before = JSON.stringify(message)
  expect(checker(() => codec)(message)).toBe(message)
  const written = Schema.encodeSync(codec)(Schema.decodeUnknownSync(codec)(message))
  expect([message]).toMatchObject([written])
  expect(JSON.stringify(message)).toBe(before)
}
