import { Principal } from "@effective-mcp/protocol"
import { Ask, Call, RequestState, Server, Tool } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as TestClock from "effect/testing/TestClock"
import { accept, calling, roundOf, textOf } from "./asking.ts"
import { info, wire } from "./wire.ts"

const secret = (byte: number) => new Uint8Array(32).fill(byte)
const [old, current, other] = [secret(1), secret(2), secret(3)]

describe("S-11 what is sealed", () => {
  it.effect("opens where it belongs, and says nothing", () =>
    Effect.gen(function* () {
      const state = RequestState.make({ keys: [current] })
      const text = 'caf\u00e9 "\u{1f511}" '.repeat(100)
      const sealed = yield* state.seal(text, "here")
      expect(sealed).toMatch(/^[\w-]+$/)
      expect(atob(sealed.replaceAll("-", "+").replaceAll("_", "/"))).not.toContain("caf")
      expect(yield* state.open(sealed, "here")).toBe(text)
      expect(yield* state.open(sealed, "there")).toBeUndefined()
    })
  )
  it.effect("is another one each time", () =>
    Effect.gen(function* () {
      const state = RequestState.make({ keys: [current] })
      const all = yield* Effect.forEach(Array.from({ length: 100 }), () => state.seal("a", "b"))
      expect(new Set(all).size).toBe(100)
    })
  )
  it.effect("does not open with a single character changed, left out or added", () =>
    Effect.gen(function* () {
      const state = RequestState.make({ keys: [current] })
      const sealed = yield* state.seal("ab", "")
      const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
      const changed = new Set<string>(["", `${sealed}=`, `${sealed}-TAMPERED`, ` ${sealed}`, sealed + sealed])
      for (let i = 0; i < sealed.length; i++) {
        const [before, after] = [sealed.slice(0, i), sealed.slice(i + 1)]
        changed.add(before + after).add(`${before}A${sealed.slice(i)}`)
        const at = letters.indexOf(sealed[i]!)
        for (const step of [1, 7, 32]) changed.add(before + letters[(at + step) % 64]! + after)
      }
      for (const letter of letters) changed.add(sealed.slice(0, -1) + letter)
      changed.delete(sealed)
      for (const each of changed) expect(yield* state.open(each, ""), each).toBeUndefined()
    })
  )
  it.effect("lives 300 s, or as long as is said", () =>
    Effect.gen(function* () {
      for (const [state, life] of [
        [RequestState.make({ keys: [current] }), 300_000],
        [RequestState.make({ keys: [current], lifeMs: 50 }), 50]
      ] as const) {
        const sealed = yield* state.seal("a", "")
        yield* TestClock.adjust(life - 1)
        expect(yield* state.open(sealed, "")).toBe("a")
        yield* TestClock.adjust(1)
        expect(yield* state.open(sealed, "")).toBeUndefined()
      }
    })
  )
  it.effect("opens with each of the keys, and is sealed with the first", () =>
    Effect.gen(function* () {
      const before = RequestState.make({ keys: [old] })
      const during = RequestState.make({ keys: [current, old] })
      const after = RequestState.make({ keys: [current] })
      const [early, late] = [yield* before.seal("early", ""), yield* during.seal("late", "")]
      expect(yield* during.open(early, "")).toBe("early")
      expect(yield* after.open(early, "")).toBeUndefined()
      expect(yield* after.open(late, "")).toBe("late")
      expect(yield* before.open(late, "")).toBeUndefined()
      expect(yield* RequestState.make({ keys: [other] }).open(late, "")).toBeUndefined()
    })
  )
  it.effect("knows a secret in each of its forms, and is not hurt by what is done to it later", () =>
    Effect.gen(function* () {
      const text = "a secret of thirty-two characters"
      const bytes = new TextEncoder().encode(text)
      const sealed = yield* RequestState.make({ keys: [text] }).seal("a", "")
      const fromBytes = RequestState.make({ keys: [bytes] })
      bytes.fill(0)
      expect(yield* fromBytes.open(sealed, "")).toBe("a")
      expect(yield* RequestState.make({ keys: [Redacted.make(text)] }).open(sealed, "")).toBe("a")
    })
  )
  it("needs a key of 32 bytes, and a life", () => {
    expect(() => RequestState.make({ keys: ["short"] })).toThrow("32 bytes")
    expect(() => RequestState.make({ keys: [new Uint8Array(31)] })).toThrow("32 bytes")
    expect(() => RequestState.make({ keys: [current], lifeMs: 0 })).toThrow("no time")
    expect(() => RequestState.make({ keys: [current], lifeMs: Number.NaN })).toThrow("no time")
  })
})

const asking = (name: string) =>
  Tool.make(name, {
    input: { path: Schema.optionalKey(Schema.String), deep: Schema.optionalKey(Schema.Unknown) },
    run: Effect.fnUntraced(function* () {
      const { user } = yield* (yield* Call).ask({ user: Ask.form("Who?", { name: Schema.String }) })
      return user.action === "accept" ? user.content.name : user.action
    })
  })
const server = Server.make(info, [asking("one"), asking("two")])
const answered = { inputResponses: { user: accept({ name: "Ada" }) } }

describe("S-11 the state of a call", () => {
  const refused = { code: -32602, message: "Invalid params: requestState is not valid here, or no longer" }
  const started = Effect.gen(function* () {
    const client = yield* wire(server)
    const first = yield* client.result(
      "tools/call",
      calling("one", { arguments: { path: "a", deep: { x: 1, y: [2] } } })
    )
    return { ...client, ...answered, requestState: roundOf(first).requestState }
  })
  it.effect("is taken with the same arguments, however they are written", () =>
    Effect.gen(function* () {
      const { inputResponses, requestState, result } = yield* started
      const again = { arguments: { deep: { y: [2], x: 1 }, path: "a" }, inputResponses, requestState }
      expect(textOf(yield* result("tools/call", calling("one", again)))).toBe("Ada")
      // another try of the same round is no harm
      expect(textOf(yield* result("tools/call", calling("one", again)))).toBe("Ada")
    })
  )
  const args = { path: "a", deep: { x: 1, y: [2] } }
  for (const [what, name, changed] of [
    ["another tool", "two", { arguments: args }],
    ["other arguments", "one", { arguments: { ...args, path: "b" } }],
    ["more arguments", "one", { arguments: { ...args, more: 1 } }],
    ["arguments in another order of a list", "one", { arguments: { path: "a", deep: { x: 1, y: [2, 1] } } }],
    ["no arguments", "one", {}]
  ] as const) {
    it.effect(`is refused with ${what}`, () =>
      Effect.gen(function* () {
        const { error, inputResponses, requestState } = yield* started
        expect(yield* error("tools/call", calling(name, { ...changed, inputResponses, requestState }))).toEqual(refused)
      })
    )
  }
  for (const [what, change] of Object.entries<(state: string) => unknown>({
    changed: (state) => `${state}-TAMPERED`,
    "cut short": (state) => state.slice(0, -1),
    empty: () => "",
    "a word": () => "state",
    "very long": (state) => state + "A".repeat(2 * 1024 * 1024)
  })) {
    it.effect(`is refused when it is ${what}, before anything runs`, () =>
      Effect.gen(function* () {
        const { error, inputResponses, requestState } = yield* started
        const bad = { arguments: args, inputResponses, requestState: change(requestState) }
        expect(yield* error("tools/call", calling("one", bad))).toEqual(refused)
      })
    )
  }
  it.effect("that is no text is -32602", () =>
    Effect.gen(function* () {
      const { error } = yield* started
      expect(yield* error("tools/call", calling("one", { requestState: 5 }))).toMatchObject({ code: -32602 })
    })
  )
  it.effect("is refused after 300 s, and a new call begins again", () =>
    Effect.gen(function* () {
      const { error, inputResponses, requestState, result } = yield* started
      yield* TestClock.adjust("300 seconds")
      const late = { arguments: args, inputResponses, requestState }
      expect(yield* error("tools/call", calling("one", late))).toEqual(refused)
      roundOf(yield* result("tools/call", calling("one")))
    })
  )
  it.effect("is refused by a server of another name", () =>
    Effect.gen(function* () {
      const { inputResponses, requestState } = yield* started
      const { error } = yield* wire(Server.make({ ...info, name: "another" }, [asking("one")]))
      expect(yield* error("tools/call", calling("one", { arguments: args, inputResponses, requestState }))).toEqual(
        refused
      )
    })
  )
})

describe("S-11 several nodes of one server", () => {
  const first = Effect.gen(function* () {
    const { result } = yield* wire(server)
    return roundOf(yield* result("tools/call", calling("one"))).requestState
  })
  const second = (requestState: string) =>
    Effect.gen(function* () {
      const { ask } = yield* wire(server)
      return yield* ask("tools/call", calling("one", { ...answered, requestState }))
    })
  const node = (...keys: readonly [Uint8Array, ...ReadonlyArray<Uint8Array>]) =>
    Effect.provide(RequestState.layer({ keys }), { local: true })
  it.effect("take over from each other when they share their keys", () =>
    Effect.gen(function* () {
      const state = yield* first.pipe(node(old))
      expect(yield* second(state).pipe(node(old))).toMatchObject({ result: { content: [{ text: "Ada" }] } })
      expect(yield* second(state).pipe(node(current, old))).toMatchObject({ result: { content: [{ text: "Ada" }] } })
    })
  )
  it.effect("do not when they do not", () =>
    Effect.gen(function* () {
      const state = yield* first.pipe(node(old))
      expect(yield* second(state).pipe(node(current))).toMatchObject({ error: { code: -32602 } })
      expect(yield* second(state)).toMatchObject({ error: { code: -32602 } })
    })
  )
  const as = (principal: Principal["Service"]) => Effect.provideService(Principal, principal)
  const ada = { issuer: "https://a.example", subject: "ada", scopes: ["read"] }
  it.effect("serve each caller with what is its own", () =>
    Effect.gen(function* () {
      const state = yield* first.pipe(as(ada))
      expect(yield* second(state).pipe(as({ ...ada, scopes: ["write"] }))).toHaveProperty("result")
      for (const other of [
        { ...ada, subject: "eve" },
        { ...ada, issuer: "https://b.example" },
        { ...ada, clientId: "app" }
      ]) {
        expect(yield* second(state).pipe(as(other))).toMatchObject({ error: { code: -32602 } })
      }
      expect(yield* second(state)).toMatchObject({ error: { code: -32602 } })
      expect(yield* second(yield* first).pipe(as(ada))).toMatchObject({ error: { code: -32602 } })
    })
  )
})
