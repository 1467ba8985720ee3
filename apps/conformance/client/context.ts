import process from "node:process"
import * as Schema from "effect/Schema"

const {
  MCP_CONFORMANCE_CONTEXT = "{}",
  MCP_CONFORMANCE_PROTOCOL_VERSION = "2026-07-28",
  MCP_CONFORMANCE_SCENARIO = ""
} = process.env

const Given = Schema.Struct({
  toolCalls: Schema.optionalKey(
    Schema.Array(Schema.Struct({ name: Schema.String, arguments: Schema.Record(Schema.String, Schema.Unknown) }))
  )
})

/** What whoever starts this program says of the scenario. */
export const context = {
  scenario: MCP_CONFORMANCE_SCENARIO,
  revision: MCP_CONFORMANCE_PROTOCOL_VERSION,
  ...Schema.decodeUnknownSync(Given)(JSON.parse(MCP_CONFORMANCE_CONTEXT))
}
