import { inspect } from "node:util"
import { ClientResponse } from "@effective-mcp/http/client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { detect, DetectError } from "../src/index.ts"
import { memory, URL } from "./support/memory.ts"
import { sentOf } from "./support/replay.ts"

const types = ["application/json", "text/html", "text/event-stream", "application/problem+json", "text/plain", ""]
const id = fc.oneof(fc.constantFrom(1, 2, 3, "1", null, undefined, 0.5, 1e300), fc.jsonValue())
const code = fc.oneof(fc.constantFrom(-32601, -32600, -32020, -32022, -32000), fc.integer(), fc.jsonValue())
const message = fc.record(
  {
    jsonrpc: fc.constantFrom("2.0", "1.0"),
    id,
    method: fc.constantFrom("ping", "initialize", "tools/call"),
    result: fc.jsonValue(),
    error: fc.record({ code, message: fc.jsonValue(), data: fc.jsonValue() }, { requiredKeys: [] })
  },
  { requiredKeys: ["jsonrpc"] }
)
const body = fc.oneof(
  message.map((said) => JSON.stringify(said)),
  fc.array(message, { maxLength: 3 }).map((said) => JSON.stringify(said)),
  fc.jsonValue().map((said) => JSON.stringify(said)),
  fc.constantFrom('{"__proto__":{"jsonrpc":"2.0","id":1,"result":{}}}', "[".repeat(50_000), "\u{feff}{}", ""),
  fc.string(),
  fc.uint8Array()
)
const header = fc.oneof(fc.constantFrom("", "0", "-1", "1e9", "99999999999", "Bearer", "//b", "http://["), fc.string())
const answer = fc.record({
  status: fc.oneof(
    fc.constantFrom(200, 202, 204, 301, 307, 400, 401, 404, 405, 429, 500),
    fc.integer({ min: 200, max: 599 })
  ),
  headers: fc.record(
    {
      "content-type": fc.oneof(fc.constantFrom(...types), fc.string()),
      "mcp-session-id": fc.oneof(fc.string(), fc.constant("s".repeat(5_000))),
      "www-authenticate": header,
      "retry-after": header,
      location: header
    },
    { requiredKeys: [] }
  ),
  body
})

const known = ["POST ping", "POST server/discover", "POST initialize", "DELETE", "GET"]

describe("whatever an address answers", () => {
  it("repeats nothing that it was sent", async () => {
    const authorization = "Bearer s3cr3t-token"
    const told = `error="${authorization}"`
    const answers = [
      ClientResponse.make({ status: 401, headers: { "www-authenticate": told } }),
      ClientResponse.make({ status: 303, headers: { location: `/${encodeURIComponent(authorization)}` } }),
      ClientResponse.make({ status: 303, headers: { location: "/?s3cr3t-query/s3cr3t-query" } })
    ]
    for (const answer of answers) {
      const { client } = memory(() => Effect.succeed(answer))
      const finding = detect(`${URL}?key=s3cr3t-query`, { client, headers: { authorization } })
      expect(inspect(await Effect.runPromise(Effect.flip(finding)), { depth: 9 })).not.toContain("s3cr3t")
    }
  })
  it("is told in the types that are promised, with all that was sent, in order and once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(answer, { minLength: 5, maxLength: 5 }), async (answers) => {
        let at = 0
        const { client, seen } = memory(() => Effect.sync(() => ClientResponse.make(answers[at++ % 5]!)))
        const found = await Effect.runPromise(Effect.result(detect(`${URL}?secret`, { client })))
        const { evidence } = found._tag === "Success" ? found.success : found.failure
        expect(evidence.map(({ sent }) => sent)).toEqual(seen.map(sentOf))
        expect(known.filter((sent) => evidence.some((probe) => probe.sent === sent))).toEqual(seen.map(sentOf))
        for (const { code, mediaType = "", status } of evidence) {
          expect(status).toBeTypeOf("number")
          expect(mediaType.length).toBeLessThanOrEqual(101)
          expect(code === undefined || Number.isInteger(code)).toBe(true)
        }
        if (found._tag === "Success") return
        expect(found.failure).toBeInstanceOf(DetectError)
        expect(found.failure.message).not.toContain("secret")
        expect(found.failure.message.length).toBeLessThan(2_000)
        // what steers a terminal is not repeated
        expect(found.failure.message).not.toMatch(/\p{Cc}/u)
      }),
      { numRuns: 2_000 }
    )
  })
})
