import { JsonRpc, Meta, Principal } from "@effective-mcp/protocol"
import { Ask, Call, type Middleware, Server, Tool } from "@effective-mcp/server"
import { tool } from "@effective-mcp/server/promise"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { mount, type Options, serve, SessionStore, Unverified, type Verify } from "../src/server/index.ts"
import { ask, get, JSON_HEADERS, modern, post, send, served, session } from "./support/wire.ts"

const request = JsonRpc.request

/** Who bears `Bearer name`, acting by one program. */
const principal: Verify = (asked) => {
  const [scheme, subject = ""] = (asked.header("authorization") ?? "").split(" ")
  if (scheme !== "Bearer") return Effect.fail(new Unverified({ challenge: 'Bearer realm="tests"' }))
  if (subject === "mallory") return Effect.fail(new Unverified({ status: 403 }))
  const [name = "", ...scopes] = subject.split(":")
  return Effect.succeed({ issuer: "https://as.example", subject: name, clientId: "cli", scopes })
}
const as = (who: string) => ({ authorization: `Bearer ${who}` })
const a = as("a")
const b = as("b")

const whoami = Tool.make("whoami", { run: () => Effect.map(Principal, ({ subject }) => subject) })
const erase = Tool.make("erase", { run: () => Effect.succeed("gone") })
const greet = Tool.make("greet", {
  run: Effect.fnUntraced(function* () {
    const call = yield* Call
    const { user } = yield* call.ask({ user: Ask.form("Who?", { name: Schema.String }) })
    return user.action === "accept" ? `Hello, ${user.content.name}` : "Hello"
  })
})
const seen: Array<string> = []
const noted: Middleware<Principal> = ({ method }, next) =>
  Effect.flatMap(Principal, ({ subject }) => {
    seen.push(`${subject} ${method}`)
    return next
  })
const server = Server.make({ name: "s", version: "1" }, [whoami, erase, greet], {
  middleware: [noted],
  visible: Effect.map(
    Principal,
    ({ scopes }) =>
      (feature) =>
        feature.name !== "erase" || scopes.includes("staff")
  )
})

const call = (id: number, name: string, params: JsonRpc.JsonObject = {}) =>
  modern(id, "tools/call", { name, ...params })
const textOf = (body: { result?: { content: ReadonlyArray<{ text: string }> } }) => body.result?.content[0]?.text
const askable = { _meta: { [Meta.CLIENT_CAPABILITIES]: { elicitation: {} } } }

describe("a caller that the wire verifies", () => {
  it.live("is refused before its body is read unless it proves who it is: 401 with the challenge, or 403", () =>
    Effect.gen(function* () {
      const url = yield* served(server, { principal, messageBytes: 10 })
      const [message, headers] = call(1, "whoami")
      const unknown = yield* ask(url, message, headers)
      expect([unknown.status, unknown.headers["www-authenticate"]]).toEqual([401, 'Bearer realm="tests"'])
      expect(unknown.body).toEqual(JsonRpc.failure(undefined, { code: -32600, message: "Unauthorized" }))
      const known = yield* ask(url, message, { ...headers, ...as("mallory") })
      expect([known.status, known.headers["www-authenticate"]]).toEqual([403, undefined])
      expect((yield* ask(url, message, { ...headers, ...a })).status).toBe(413)
      expect((yield* get(url, { "mcp-session-id": "x" })).status).toBe(401)
      expect((yield* send(url, { method: "DELETE", headers: { "mcp-session-id": "x" } })).status).toBe(401)
      expect((yield* send(url, { headers: { ...JSON_HEADERS, host: "evil.example" }, body: "{}" })).status).toBe(403)
    })
  )

  it.live("may be told by a promise; one that fails otherwise lets nobody in, and says nothing of why", () =>
    Effect.gen(function* () {
      const url = yield* served(server, {
        principal: async (asked) => {
          const who = asked.header("x-who")
          if (who === undefined) throw new Unverified({})
          if (who === "broken") throw new Error("a secret")
          return { subject: who, scopes: [] }
        }
      })
      const [message, headers] = call(1, "whoami")
      expect((yield* ask(url, message, headers)).status).toBe(401)
      expect(textOf((yield* ask(url, message, { ...headers, "x-who": "ada" })).body)).toBe("ada")
      const broken = yield* post(url, message, { ...headers, "x-who": "broken" })
      expect([broken.status, yield* broken.text]).toEqual([500, "Internal server error"])
    })
  )

  it.live("is what handlers, middleware and visibility find, in both eras", () =>
    Effect.gen(function* () {
      const url = yield* served(server, { principal })
      const opened = yield* session(url, "2025-11-25", a)
      seen.length = 0
      const [message, headers] = call(1, "whoami")
      expect(textOf((yield* ask(url, message, { ...headers, ...b })).body)).toBe("b")
      expect(textOf((yield* ask(url, request(1, "tools/call", { name: "whoami" }), opened)).body)).toBe("a")
      expect(seen.filter((each) => each.endsWith("call"))).toEqual(["b tools/call", "a tools/call"])
      const names = (body: { result: { tools: ReadonlyArray<{ name: string }> } }) =>
        body.result.tools.map(({ name }) => name)
      const [list, listing] = modern(2, "tools/list")
      expect(names((yield* ask(url, list, { ...listing, ...b })).body)).toEqual(["whoami", "greet"])
      expect(names((yield* ask(url, list, { ...listing, ...as("b:staff") })).body)).toContain("erase")
      expect(names((yield* ask(url, request(2, "tools/list"), opened)).body)).toEqual(["whoami", "greet"])
      const staff = { ...opened, ...as("a:staff") }
      expect(textOf((yield* ask(url, request(3, "tools/call", { name: "erase" }), staff)).body)).toBe("gone")
    })
  )

  it.live("is a member of the call on the Promise surface, where nobody has to ask", () =>
    Effect.gen(function* () {
      const told = tool("told", { run: async (_, { principal }) => principal?.subject ?? "nobody" })
      const plain = Server.make({ name: "s", version: "1" }, [told])
      const [asking, open] = [yield* served(plain, { principal }), yield* served(plain)]
      const [message, headers] = call(1, "told")
      expect(textOf((yield* ask(asking, message, { ...headers, ...a })).body)).toBe("a")
      expect(textOf((yield* ask(open, message, { ...headers, ...a })).body)).toBe("nobody")
    })
  )

  it.live("is known without sessions, and in an array, too", () =>
    Effect.gen(function* () {
      const url = yield* served(server, { principal, sessions: false })
      const message = request(1, "tools/call", { name: "whoami" })
      expect(textOf((yield* ask(url, message, a)).body)).toBe("a")
      expect(textOf((yield* ask(url, [message], b)).body[0])).toBe("b")
    })
  )

  it.live("HTTP-18 S-30 alone may use the session that it has opened, also on another node", () =>
    Effect.gen(function* () {
      const store = SessionStore.memory()
      const url = yield* served(server, { principal, sessions: { store } })
      const other = yield* served(server, { principal, sessions: { store } })
      const opened = yield* session(url, "2025-11-25", a)
      const message = request(1, "tools/call", { name: "whoami" })
      for (const at of [url, other]) {
        const theirs = { ...opened, ...b }
        for (const answer of [
          yield* post(at, message, theirs),
          yield* post(at, JsonRpc.notification("notifications/cancelled", { requestId: 1 }), theirs),
          yield* get(at, theirs),
          yield* send(at, { method: "DELETE", headers: theirs })
        ]) {
          expect(answer.status).toBe(403)
        }
        // other scopes are no other caller
        expect((yield* ask(at, message, { ...opened, ...as("a:staff") })).status).toBe(200)
      }
    })
  )

  it.live("S-08 S-30 alone takes up a session that was kept: nobody else's server is put in its place", () =>
    Effect.gen(function* () {
      const store = SessionStore.memory()
      const own = () =>
        Effect.map(Principal, ({ subject }) =>
          Server.make({ name: subject, version: "1" }, [Tool.make("whose", { run: () => Effect.succeed(subject) })])
        )
      const options = { principal, sessions: { store } }
      const opened = yield* session(yield* served(own, options), "2025-11-25", a)
      const other = yield* served(own, options)
      const message = request(1, "tools/call", { name: "whose" })
      expect((yield* ask(other, message, { ...opened, ...b })).status).toBe(403)
      expect(textOf((yield* ask(other, message, opened)).body)).toBe("a")
    })
  )

  it.live("S-11 CON-02 alone may go on with a state: another's is -32602, and runs nothing", () =>
    Effect.gen(function* () {
      const url = yield* served(server, { principal })
      const [first, headers] = call(1, "greet", askable)
      const { body } = yield* ask(url, first, { ...headers, ...a })
      expect(body.result.resultType).toBe("input_required")
      const answers = {
        ...askable,
        requestState: body.result.requestState,
        inputResponses: { user: { action: "accept", content: { name: "Ada" } } }
      }
      const [again] = call(2, "greet", answers)
      seen.length = 0
      const stolen = yield* ask(url, again, { ...headers, ...b })
      expect([stolen.status, stolen.body.error.code, stolen.body.result]).toEqual([400, -32602, undefined])
      expect(seen).toEqual([])
      expect(textOf((yield* ask(url, again, { ...headers, ...as("a:staff") })).body)).toBe("Hello, Ada")
    })
  )

  it.live("HTTP-26 is held to the headers of a tool that only it may see, whoever was looked up for a moment ago", () =>
    Effect.gen(function* () {
      const inputSchema = { type: "object", properties: { to: { type: "string", "x-mcp-header": "To" } } }
      const route = Tool.make("route", { inputSchema, run: () => Effect.succeed("done") })
      const hiding = Server.make({ name: "s", version: "1" }, [route], {
        visible: Effect.map(
          Principal,
          ({ subject }) =>
            () =>
              subject === "b"
        )
      })
      const url = yield* served(hiding, { principal })
      const [message, headers] = call(1, "route", { arguments: { to: "x" } })
      expect((yield* ask(url, message, { ...headers, ...a })).body.error.code).toBe(-32602)
      expect((yield* ask(url, message, { ...headers, ...b })).body.error.code).toBe(-32020)
      expect((yield* ask(url, message, { ...headers, ...b, "mcp-param-to": "x" })).status).toBe(200)
    })
  )

  it.live("may have a server of its own", () =>
    Effect.gen(function* () {
      const url = yield* served(
        () => Effect.map(Principal, ({ subject }) => Server.make({ name: subject, version: "1" }, [whoami])),
        { principal }
      )
      const [message, headers] = modern(1, "server/discover")
      const { body } = yield* ask(url, message, { ...headers, ...b })
      expect(body.result._meta[Meta.SERVER_INFO].name).toBe("b")
    })
  )

  it("is in the types: what needs one is not served where nobody asks", () => {
    expectTypeOf(() => serve(server, { principal })).returns.toExtend<Effect.Effect<unknown, unknown, Scope.Scope>>()
    expectTypeOf(() => serve(server)).returns.toExtend<Effect.Effect<unknown, unknown, Principal | Scope.Scope>>()
    expectTypeOf(() => serve(server)).returns.not.toExtend<Effect.Effect<unknown, unknown, Scope.Scope>>()
    expectTypeOf<Options["principal"]>().toExtend<((request: never) => unknown) | undefined>()
    // @ts-expect-error nobody says who calls
    expect(() => mount(server)).not.toThrow()
    expect(() => mount(server, { principal })).not.toThrow()
  })
})
