import { Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"

/** A schema that no library would write so: clients get it word for word. */
const inputSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } }
    }
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" }
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false
}

/** Arguments described by JSON Schema itself. */
export const jsonSchema = [
  Tool.make("json_schema_2020_12_tool", {
    description: "Takes what JSON Schema 2020-12 can describe",
    inputSchema,
    run: (args) => Effect.succeed(JSON.stringify(args))
  })
]
