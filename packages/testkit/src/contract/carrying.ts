import { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { equal, Mismatch } from "../Mismatch.ts"
import { begin, type Clause, deaf, expectResult } from "./Clause.ts"

const { request, success } = JsonRpc

const numbers = (n: number): ReadonlyArray<number> => Array.from({ length: n }, (_, i) => i + 1)

const MIB = 1024 * 1024

/** An `echo` whose JSON text is exactly so many bytes long. */
const echoOf = (bytes: number): JsonRpc.Request => {
  const empty = JSON.stringify(request(1, "echo", { text: "" })).length
  return request(1, "echo", { text: "x".repeat(bytes - empty) })
}

/** Messages reach the other side as they are, and answers the exchange they belong to. */
export const carrying: ReadonlyArray<Clause> = [
  {
    name: "carries any text there and back",
    check: Effect.fnUntraced(function* ({ peer }) {
      const texts = [
        "two\nlines\r\n",
        "\u2028\u2029\u0000\u001f",
        "a 🦜 and a 👩‍👩‍👧",
        "half a pair: \ud83e",
        "",
        " ",
        '"\\/',
        "\ufeff"
      ]
      yield* expectResult(peer, request(1, "echo", { texts }), { texts })
    })
  },
  {
    name: "carries any key, __proto__ among them",
    check: Effect.fnUntraced(function* ({ peer }) {
      const params = JSON.parse(
        '{"__proto__":{"polluted":1},"constructor":{"__proto__":[]},"":0,"\\ud83e\\udd9c":null}'
      )
      yield* expectResult(peer, request(1, "echo", params), params)
      yield* equal("polluted" in {}, false, "whether Object.prototype is polluted")
    })
  },
  {
    name: "carries numbers, nesting and members that nobody knows",
    check: Effect.fnUntraced(function* ({ peer }) {
      const params = { n: [0, -1, 1.5, 1e21, 2 ** 53, 5e-324], deep: [[[[{ a: [{}] }]]]], none: null, yes: true }
      yield* expectResult(peer, request(1, "echo", params), params)
    })
  },
  {
    name: "hands over a notification",
    check: Effect.fnUntraced(function* ({ peer }) {
      yield* peer.send(JsonRpc.notification("note", { text: "hello" }))
      yield* expectResult(peer, request(1, "noted"), { text: "hello" })
    })
  },
  {
    name: "lets a later request overtake an earlier one",
    check: Effect.fnUntraced(function* ({ peer }) {
      const first = yield* begin(peer, request(1, "pause"))
      yield* expectResult(peer, request(2, "release"), {})
      yield* equal(yield* Fiber.join(first), success(1, { id: 1 }), "the earlier answer")
    })
  },
  {
    name: 'tells the ids 0, "", 1 and "1" apart',
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const ids = [0, "", 1, "1", "0"]
      const heard: Array<unknown> = []
      const open = yield* Effect.forEach(ids, (id) =>
        begin(peer, request(id, "pause"), (said) =>
          Effect.sync(() => {
            heard.push([id, said.params?.progressToken])
          })
        )
      )
      yield* expectResult(peer, request(2, "release"), {})
      const answers = yield* Effect.forEach(open, Fiber.join)
      yield* equal(
        answers,
        ids.map((id) => success(id, { id })),
        "the answers"
      )
      for (const [id, token] of heard as ReadonlyArray<readonly [unknown, unknown]>) {
        // cast: pushed above
        yield* equal(token, id, "the exchange that hears a notification")
      }
      yield* equal(heard.length, ids.length, "how many notifications were heard")
    })
  },
  {
    name: "never mixes up a thousand exchanges",
    needs: "hearing",
    check: Effect.fnUntraced(function* ({ peer }) {
      yield* Effect.forEach(
        numbers(1000),
        (id) => {
          const tokens: Array<unknown> = []
          const listener = (said: JsonRpc.Notification | JsonRpc.Request) =>
            Effect.sync(() => {
              tokens.push(said.params?.progressToken)
            })
          return Effect.andThen(
            expectResult(peer, request(id, "report", { n: 2 }), { id }, listener),
            Effect.suspend(() => equal(tokens, [id, id], `what exchange ${id} hears`))
          )
        },
        { concurrency: 50, discard: true }
      )
    })
  },
  {
    name: "answers a method that nobody knows",
    check: Effect.fnUntraced(function* ({ peer }) {
      const response = yield* peer.exchange(request(1, "toString"), deaf)
      yield* equal("error" in response && response.error.code, -32601, "the code of the error")
    })
  },
  {
    name: "answers a crash with -32603 and none of its details",
    logs: true,
    check: Effect.fnUntraced(function* ({ peer }) {
      for (const method of ["crash", "throw"]) {
        const response = yield* peer.exchange(request(method, method), deaf)
        yield* equal(response.id, method, "the id of the answer")
        yield* equal("error" in response && response.error.code, -32603, "the code of the error")
        if (JSON.stringify(response).includes("secret")) {
          return yield* new Mismatch({ what: "the answer to a crash", expected: "no details", actual: response })
        }
      }
      yield* expectResult(peer, request(2, "echo"), {})
    })
  },
  {
    name: "carries a message as long as the limit",
    needs: "limit",
    check: Effect.fnUntraced(function* ({ messageBytes, peer }) {
      const longest = echoOf(messageBytes)
      yield* expectResult(peer, longest, longest.params!)
    })
  },
  {
    name: "makes a sender wait while the wire is full, and sends all in the end",
    needs: "waiting",
    check: Effect.fnUntraced(function* ({ messageBytes, peer }) {
      yield* expectResult(peer, request(0, "echo"), {})
      const text = "x".repeat(Math.min(MIB, messageBytes) - 256)
      const sending = yield* Effect.forEach(numbers(32), () =>
        Effect.forkScoped(peer.send(JsonRpc.notification("note", { text })), { startImmediately: true })
      )
      const waiting = sending.filter((fiber) => fiber.pollUnsafe() === undefined).length
      yield* equal(waiting > 0, true, "whether any of 32 messages of 1 MiB, sent at once, waits")
      yield* Effect.forEach(sending, Fiber.join, { discard: true })
      yield* expectResult(peer, request(1, "echo"), {})
    })
  }
]
