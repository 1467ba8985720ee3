import { Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** An argument that HTTP repeats in a header, `Mcp-Param-Region`, for whatever routes requests. */
export const headers = [
  Tool.make("test_x_mcp_header", {
    description: "Takes a region, which a header repeats",
    input: { region: Schema.String.annotate({ "x-mcp-header": "Region" }) },
    run: ({ region }) => Effect.succeed(`region: ${region}`)
  })
]
