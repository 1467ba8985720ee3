import type { Client, Middleware } from "@effective-mcp/client"
import type { Host } from "@effective-mcp/protocol"
import { describe, expectTypeOf, it } from "@effect/vitest"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { connect, type ConnectTargetError, layer, type Servers, type Target } from "../src/index.ts"
import * as Promises from "../src/promise.ts"

class Auditor extends Context.Service<Auditor, { readonly note: () => void }>()("test/Auditor") {}

declare const host: Host
declare const needy: Host<Auditor>
declare const text: string
declare const target: Target
declare const middleware: Middleware<Auditor>

type One = Effect.Effect<Client.Client, ConnectTargetError, Scope.Scope>
type Several = Effect.Effect<Servers, ConnectTargetError, Scope.Scope>

/** Compiled, and never run. */
const unused = <Args extends ReadonlyArray<never>, A>(make: (...args: Args) => A) => make

describe("a target", () => {
  it("of one server gives a client, in a scope, and fails in one way", () => {
    const given = {
      url: unused(() => connect("https://a.example/mcp")),
      URL: unused(() => connect(new URL("https://a.example/mcp"), { apiKey: "k", headers: { a: "b" } })),
      line: unused(() => connect("npx -y server")),
      argv: unused(() => connect(["npx", "-y", "server"], { era: "legacy" })),
      stdio: unused(() => connect("stdio://npx?arg=-y")),
      program: unused(() => connect({ command: "a", args: ["b"], env: { C: "d" }, cwd: "/" })),
      address: unused(() => connect({ type: "sse", url: "https://a.example", headers: { a: "b" }, timeout: 5 })),
      host: unused(() => connect(host)),
      text: unused(() => connect(text))
    }
    expectTypeOf<ReturnType<(typeof given)[keyof typeof given]>>().toEqualTypeOf<One>()
  })
  it("of several servers gives one client, and each of them", () => {
    const given = {
      object: unused(() =>
        connect({ mcpServers: { a: { command: "a" }, b: { url: "https://b" } } }, { partial: true })
      ),
      code: unused(() => connect({ servers: { a: { type: "http", url: "https://a" } } })),
      file: unused(() => connect("file:///home/me/mcp.json"))
    }
    expectTypeOf<ReturnType<(typeof given)[keyof typeof given]>>().toEqualTypeOf<Several>()
    expectTypeOf<Servers>().toExtend<Client.Client>()
  })
  it("that is not known any closer is taken as well", () => {
    const any = unused(() => connect(target))
    expectTypeOf<ReturnType<typeof any>>().toExtend<Effect.Effect<Client.Client, ConnectTargetError, Scope.Scope>>()
  })
  it("that leads nowhere is refused", () => {
    // @ts-expect-error nothing speaks this
    unused(() => connect("ws://a.example"))
    // @ts-expect-error nor this
    unused(() => connect(""))
    // @ts-expect-error no program
    unused(() => connect([]))
    // @ts-expect-error words are texts
    unused(() => connect(["a", 5]))
    // @ts-expect-error a list that may be empty
    unused((words: Array<string>) => connect(words))
    // @ts-expect-error both a command and an address
    unused(() => connect({ command: "a", url: "https://a" }))
    // @ts-expect-error neither
    unused(() => connect({}))
    // @ts-expect-error there is no such type
    unused(() => connect({ mcpServers: { a: { type: "websocket", url: "https://a" } } }))
    // @ts-expect-error arguments are a list
    unused(() => connect({ mcpServers: { a: { command: "a", args: "b" } } }))
    // @ts-expect-error variables are texts
    unused(() => connect({ command: "a", env: { PORT: 80 } }))
    // @ts-expect-error a server whose needs nobody has provided
    unused(() => connect(needy))
    // @ts-expect-error a number is no target
    unused(() => connect(5))
  })
  it("has options that there are", () => {
    // @ts-expect-error there is no such era
    unused(() => connect("a", { era: "classic" }))
    // @ts-expect-error nor such a wire
    unused(() => connect("https://a", { wire: "websocket" }))
    // @ts-expect-error the era is said beside it
    unused(() => connect("a", { client: { era: "modern" } }))
  })
  it("needs what middleware needs", () => {
    const needy = unused(() => connect(text, { client: { middleware: [middleware] } }))
    expectTypeOf(needy).returns.toEqualTypeOf<Effect.Effect<Client.Client, ConnectTargetError, Auditor | Scope.Scope>>()
  })
  it("can be a layer, or a promise", () => {
    const asLayer = unused(() => layer("npx -y server"))
    expectTypeOf(asLayer).returns.toEqualTypeOf<Layer.Layer<Client.Current, ConnectTargetError>>()
    const one = unused(() => Promises.connect(text))
    expectTypeOf(one).returns.toEqualTypeOf<Promise<Promises.Client>>()
    const several = unused(() => Promises.connect({ mcpServers: {} }))
    expectTypeOf(several).returns.toEqualTypeOf<Promise<Promises.Servers>>()
    // @ts-expect-error nothing speaks this
    unused(() => Promises.connect("ws://a.example"))
  })
})
