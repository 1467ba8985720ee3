import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { toFetch } from "../src/adapter/fetch.ts"
import { Cors, type HttpHandler } from "../src/index.ts"

const origin = "https://app.example.com"
const allowed = Cors.allow({ origins: [origin], methods: ["GET"], exposed: ["x-id"], headers: ["accept"] })

describe("a page of another origin", () => {
  it.live("may read an answer in parts as well as one at once", () =>
    Effect.gen(function* () {
      const parts: HttpHandler = (_request, response) =>
        Effect.gen(function* () {
          response.head(200, { "content-type": "text/plain" })
          yield* response.write("one ")
          response.offer("two ")
          response.end("three")
        })
      const whole: HttpHandler = (_request, response) => Effect.sync(() => response.whole(200, {}, "one two three"))
      for (const handler of [parts, whole]) {
        const request = new Request("http://localhost/", { headers: { origin } })
        const response = yield* Effect.promise(() => toFetch(allowed(handler))(request))
        expect(response.headers.get("access-control-allow-origin")).toBe(origin)
        expect(yield* Effect.promise(() => response.text())).toBe("one two three")
      }
    })
  )
})
