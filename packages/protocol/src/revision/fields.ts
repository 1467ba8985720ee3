import * as Schema from "effect/Schema"
import { lazy } from "./check.ts"

export { optionalKey as optional } from "effect/Schema"

/** A definition whose type nothing needs. */
export type Definition = () => Schema.Top

/** Any JSON object. */
export const object = lazy(() => Schema.Record(Schema.String, Schema.Unknown))

/** The JSON Schemas of an object's properties: each an object or, though older revisions say only that, a boolean. */
export const propertySchemas = lazy(() =>
  Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([object(), Schema.Boolean])))
)

/** An integer of any size: what a double rounds is still one. */
export const integer = lazy(() =>
  Schema.Number.check(Schema.makeFilter((value: number) => Number.isInteger(value), { expected: "an integer" }))
)

/** From 0 to 1. */
export const fraction = lazy(() => Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })))

/** An object that is there to be extended by anybody. */
export const open = <F extends Schema.Struct.Fields>(fields: F) =>
  Schema.StructWithRest(Schema.Struct(fields), [object()])

export const optionalString = lazy(() => Schema.optionalKey(Schema.String))
export const optionalBoolean = lazy(() => Schema.optionalKey(Schema.Boolean))
export const optionalNumber = lazy(() => Schema.optionalKey(Schema.Finite))
export const optionalInteger = lazy(() => Schema.optionalKey(integer()))
export const strings = lazy(() => Schema.Array(Schema.String))
export const meta = lazy(() => ({ _meta: Schema.optionalKey(object()) }))

/** What is one of some definitions; written out where types are needed. */
/* @__NO_SIDE_EFFECTS__ */
export const oneOf = (...members: ReadonlyArray<Definition>): Definition =>
  lazy(() => Schema.Union(members.map((member) => member())))
