import { Ask, Call, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"

const options = ["option1", "option2", "option3"]

const titled = [
  { const: "value1", title: "First Option" },
  { const: "value2", title: "Second Option" },
  { const: "value3", title: "Third Option" }
]

const filled = Effect.fnUntraced(function* (form: ReturnType<typeof Ask.form>) {
  const call = yield* Call
  const { user } = yield* call.ask({ user: form })
  return `Elicitation completed: action=${user.action}, content=${JSON.stringify("content" in user ? user.content : {})}`
})

const defaults = Ask.form("Please review and update the form fields with defaults", {
  type: "object",
  properties: {
    name: { type: "string", description: "User name", default: "John Doe" },
    age: { type: "integer", description: "User age", default: 30 },
    score: { type: "number", description: "User score", default: 95.5 },
    status: { type: "string", description: "User status", enum: ["active", "inactive", "pending"], default: "active" },
    verified: { type: "boolean", description: "Verification status", default: true }
  },
  required: []
})

const choices = Ask.form("Please select options from the enum fields", {
  type: "object",
  properties: {
    untitledSingle: { type: "string", description: "One of some texts", enum: options },
    titledSingle: { type: "string", description: "One of some titled texts", oneOf: titled },
    legacyEnum: {
      type: "string",
      description: "Titles as they were before",
      enum: ["opt1", "opt2", "opt3"],
      enumNames: ["Option One", "Option Two", "Option Three"]
    },
    untitledMulti: { type: "array", description: "Several of some texts", items: { type: "string", enum: options } },
    titledMulti: { type: "array", description: "Several of some titled texts", items: { anyOf: titled } }
  },
  required: []
})

/** Forms by JSON Schema, kept word for word: with defaults, and with every kind of choice. */
export const forms = [
  Tool.make("test_elicitation_sep1034_defaults", {
    description: "Asks a person to fill in a form that has defaults",
    run: () => filled(defaults)
  }),
  Tool.make("test_elicitation_sep1330_enums", {
    description: "Asks a person to choose, in five ways",
    run: () => filled(choices)
  })
]
