import { readdirSync, readFileSync } from "node:fs"
import { ClientResponse, type ClientRequest, type HttpClient } from "@effective-mcp/http/client"
import { TransportError } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Answer, Entry } from "./Entry.ts"

const folder = new URL("../corpus/", import.meta.url)

export const corpus: ReadonlyArray<Entry> = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .toSorted()
  // cast: written by the recorder
  .map((file) => JSON.parse(readFileSync(new URL(file, folder), "utf8")) as Entry)

export const sentOf = ({ body, method }: ClientRequest): string =>
  typeof body === "string" ? `${method} ${String(JSON.parse(body).method)}` : method

const responseOf = (answer: Extract<Answer, { status: number }>): ClientResponse.ClientResponse => {
  const whole = ClientResponse.make(answer)
  if (answer.isOpen === undefined) return whole
  const read = Effect.flatMap(whole.read, (part) => (part === undefined ? Effect.never : Effect.succeed(part)))
  return { ...whole, read, whole: (limit) => ClientResponse.collect(read, limit, whole.discard) }
}

/** A client that answers as that address did; what it was asked, and how many answers are still held. */
export const replay = ({ answers, name }: Entry) => {
  const seen: Array<ClientRequest> = []
  const held = { count: 0 }
  const client: HttpClient = (request) =>
    Effect.gen(function* () {
      seen.push(request)
      const answer = answers[sentOf(request)]
      if (answer === undefined) return yield* Effect.die(new Error(`${name} was never asked: ${sentOf(request)}`))
      held.count++
      yield* Effect.addFinalizer(() => Effect.sync(() => void held.count--))
      if ("status" in answer) return responseOf(answer)
      return yield* answer.fails === "Silent" ? Effect.never : TransportError.make({ _tag: "Closed" })
    })
  return { client, seen, held }
}
