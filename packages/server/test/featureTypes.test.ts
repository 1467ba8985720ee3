import {
  Call,
  Changes,
  Extension,
  type Feature,
  type Middleware,
  Prompt,
  Resource,
  ResourceTemplate,
  Server,
  Tool
} from "@effective-mcp/server"
import type { JsonRpc } from "@effective-mcp/protocol"
import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as SubscriptionRef from "effect/SubscriptionRef"
import { info } from "./wire.ts"

class Db extends Context.Service<Db, { readonly get: (key: string) => Effect.Effect<string> }>()("test/Db") {}
class Clock extends Context.Service<Clock, { readonly now: number }>()("test/Clock") {}

const text = () => Effect.succeed("")
const fromDb = () => Effect.flatMap(Db, ({ get }) => get("x"))
const fromClock = () => Effect.map(Clock, ({ now }) => `${now}`)

type Exploded = ReadonlyArray<string> | ReadonlyMap<string, string>

describe("the variables of a template", () => {
  it("are read off its text: which there are, and which may be absent", () => {
    ResourceTemplate.make("test://{a}/{+b}/c{/d,e}{?f,g*}{#h:3}", {
      read: (variables) => {
        expectTypeOf(variables).toEqualTypeOf<{
          readonly a: string
          readonly b: string
          readonly d?: string
          readonly e?: string
          readonly f?: string
          readonly g?: Exploded
          readonly h?: string
        }>()
        return text()
      }
    })
    ResourceTemplate.make("{scheme}://{x,y}{&z}", {
      read: (variables) => {
        expectTypeOf(variables).toEqualTypeOf<{
          readonly scheme: string
          readonly x: string
          readonly y?: string
          readonly z?: string
        }>()
        return text()
      }
    })
  })
  it("are none of a text without any, and may be all of a text that is not known", () => {
    ResourceTemplate.make("test://a", {
      read: (variables) => {
        expectTypeOf(variables).toEqualTypeOf<{}>()
        return text()
      }
    })
    ResourceTemplate.make("test://a" as string, {
      read: (variables) => {
        expectTypeOf(variables).toEqualTypeOf<{ readonly [name: string]: string | Exploded }>()
        return text()
      }
    })
  })
  it("are what their fields decode to", () => {
    ResourceTemplate.make("test://{id}{?page}", {
      variables: { id: Schema.FiniteFromString, page: Schema.optionalKey(Schema.String) },
      read: (variables, uri) => {
        expectTypeOf(variables).toEqualTypeOf<{ readonly id: number; readonly page?: string }>()
        expectTypeOf(uri).toEqualTypeOf<string>()
        return text()
      }
    })
  })
  it("are the only ones that can be described or completed", () => {
    expect(() =>
      ResourceTemplate.make("test://{id}", {
        // @ts-expect-error there is no such variable
        variables: { id: Schema.String, other: Schema.String },
        read: text
      })
    ).toThrow("other")
    expect(() =>
      ResourceTemplate.make("test://{id}", {
        // @ts-expect-error there is no such variable
        complete: { other: ["a"] },
        read: text
      })
    ).toThrow("other")
    ResourceTemplate.make("test://{id}", {
      // @ts-expect-error there is no such variable
      read: ({ other }) => Effect.succeed(`${other}`)
    })
  })
})

describe("what reading gives back", () => {
  it("is text, bytes, parts or a whole result", () => {
    Resource.make("a://b", { read: Effect.succeed("") })
    Resource.make("a://b", { read: Effect.succeed(new Uint8Array()) })
    Resource.make("a://b", { read: Effect.succeed({ text: "" }) })
    Resource.make("a://b", { read: Effect.succeed([{ text: "" }, { uri: "a://c", blob: new Uint8Array() }]) })
    Resource.make("a://b", { read: Effect.succeed({ contents: [{ blob: "AAA=" }], ttlMs: 5, _meta: {} }) })
  })
  it("is nothing else", () => {
    // @ts-expect-error a number is no content
    Resource.make("a://b", { read: Effect.succeed(5) })
    // @ts-expect-error nothing is no content
    Resource.make("a://b", { read: Effect.void })
    // @ts-expect-error nor is an object that holds none
    Resource.make("a://b", { read: Effect.succeed({ uri: "a://b" }) })
    // @ts-expect-error read is an effect
    expect(() => Resource.make("a://b", { read: () => Effect.succeed("") })).toThrow()
  })
})

describe("the arguments of a prompt", () => {
  it("are what their fields decode to", () => {
    Prompt.make("p", {
      arguments: { a: Schema.String, b: Schema.optionalKey(Schema.FiniteFromString), c: Schema.Literals(["x", "y"]) },
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ readonly a: string; readonly b?: number; readonly c: "x" | "y" }>()
        return text()
      }
    })
  })
  it("are texts where they are a list, which may be absent unless they are required", () => {
    Prompt.make("p", {
      arguments: [{ name: "a", required: true }, { name: "b" }, { name: "c", required: false }],
      run: (args) => {
        expectTypeOf(args.a).toEqualTypeOf<string>()
        expectTypeOf(args.b).toEqualTypeOf<string | undefined>()
        expectTypeOf(args.c).toEqualTypeOf<string | undefined>()
        return text()
      }
    })
  })
  it("are none where there are none", () => {
    Prompt.make("p", {
      // @ts-expect-error there is nothing
      run: ({ a }) => Effect.succeed(`${a}`)
    })
  })
  it("are read from texts", () => {
    // @ts-expect-error a number is no text on the wire
    Prompt.make("p", { arguments: { a: Schema.Finite }, run: text })
  })
  it("are the only ones that can be completed", () => {
    Prompt.make("p", {
      arguments: { a: Schema.String },
      complete: {
        a: (value, others) => {
          expectTypeOf(value).toEqualTypeOf<string>()
          expectTypeOf(others).toEqualTypeOf<{ readonly [name: string]: string }>()
          return Effect.succeed(["a"])
        }
      },
      run: text
    })
    // @ts-expect-error there is no such argument
    expect(() => Prompt.make("p", { arguments: { a: Schema.String }, complete: { b: [] }, run: text })).toThrow()
    // @ts-expect-error nor of a list
    expect(() => Prompt.make("p", { arguments: [{ name: "a" }], complete: { b: [] }, run: text })).toThrow()
    // @ts-expect-error a completer gives texts
    Prompt.make("p", { arguments: [{ name: "a" }], complete: { a: () => Effect.succeed([1]) }, run: text })
  })
})

describe("a tool that is described by JSON Schema", () => {
  it("gets arguments that are to be looked at, and gives back anything for an output schema", () => {
    Tool.make("t", {
      inputSchema: { type: "object", properties: { a: { type: "string" } } },
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<JsonRpc.JsonObject>()
        return text()
      }
    })
    Tool.make("t", { outputSchema: { type: "object" }, run: () => Effect.succeed({ a: 1 }) })
    // @ts-expect-error without an output schema an object is no answer
    Tool.make("t", { inputSchema: { type: "object" }, run: () => Effect.succeed({ a: 1 }) })
  })
})

describe("what a server needs", () => {
  const WithClock = Schema.String.pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transformEffect((key: string) => Effect.map(Clock, ({ now }) => `${key}${now}`)),
      encode: SchemaGetter.passthrough()
    })
  )
  const resource = Resource.make("a://b", { read: fromDb() })
  const template = ResourceTemplate.make("a://{id}", {
    variables: { id: WithClock },
    complete: { id: () => Effect.map(fromDb(), (one) => [one]) },
    read: text
  })
  const prompt = Prompt.make("p", {
    arguments: [{ name: "a" }, { name: "b" }],
    complete: { a: () => Effect.map(fromDb(), (one) => [one]), b: () => Effect.map(fromClock(), (one) => [one]) },
    run: () => Effect.map(Call, ({ request }) => request.method)
  })
  const extension = Extension.make("com.example/x", {
    methods: {
      "x/a": () => Effect.map(fromDb(), (a) => ({ a })),
      "x/b": Extension.method({ params: { c: WithClock }, run: ({ c }) => Effect.succeed({ c }) })
    }
  })
  const plain = Resource.make("a://c", { read: Effect.map(Call, ({ request }) => request.method) })

  it("is in the type of each feature, and the call is not", () => {
    expectTypeOf(resource).toEqualTypeOf<Resource.Resource<Db>>()
    expectTypeOf(template).toEqualTypeOf<ResourceTemplate.ResourceTemplate<Db | Clock>>()
    expectTypeOf(prompt).toEqualTypeOf<Prompt.Prompt<Db | Clock>>()
    expectTypeOf(extension).toEqualTypeOf<Extension.Extension<Db | Clock>>()
    expectTypeOf(plain).toEqualTypeOf<Resource.Resource>()
  })
  it("is what its features need, of whatever kind", () => {
    expectTypeOf(Server.make(info, [plain])).toEqualTypeOf<Server.Server>()
    expectTypeOf(Server.make(info, [plain, resource])).toEqualTypeOf<Server.Server<Db>>()
    expectTypeOf(Server.make(info, [template, prompt])).toEqualTypeOf<Server.Server<Db | Clock>>()
    expectTypeOf(Server.make(info, [Extension.make("com.example/y")])).toEqualTypeOf<Server.Server>()
    const some: ReadonlyArray<Feature<Clock>> = [plain]
    expectTypeOf(Server.make(info, some)).toEqualTypeOf<Server.Server<Clock>>()
  })
  it("is what a changing set's features may need", () => {
    const serve = (ref: SubscriptionRef.SubscriptionRef<ReadonlyArray<Feature<Db>>>) => Server.make(info, ref)
    expectTypeOf(serve).returns.toEqualTypeOf<Server.Server<Db>>()
    const wrong = (ref: SubscriptionRef.SubscriptionRef<ReadonlyArray<Feature>>) =>
      // @ts-expect-error a feature that needs something does not fit in
      SubscriptionRef.update(ref, (old) => [...old, resource])
    expectTypeOf(wrong).toBeFunction()
  })
  it("is also what its middleware and its visibility need", () => {
    const budget: Middleware<Clock> = (_, next) => Effect.andThen(Clock, next)
    const visible = Effect.map(Db, () => () => true)
    expectTypeOf(Server.make(info, [plain], { middleware: [budget] })).toEqualTypeOf<Server.Server<Clock>>()
    expectTypeOf(Server.make(info, [plain], { visible })).toEqualTypeOf<Server.Server<Db>>()
    expectTypeOf(Server.make(info, [resource], { middleware: [budget], visible })).toEqualTypeOf<
      Server.Server<Db | Clock>
    >()
    const byClient = Effect.map(
      Call,
      ({ client }) =>
        () =>
          client !== undefined
    )
    expectTypeOf(Server.make(info, [plain], { visible: byClient })).toEqualTypeOf<Server.Server>()
  })
})

describe("middleware", () => {
  it("knows the params by the method", () => {
    const one: Middleware = (operation, next) => {
      if (operation.extension === undefined && operation.method === "resources/read")
        expectTypeOf(operation.params.uri).toEqualTypeOf<string>()
      return next
    }
    expectTypeOf(one).toExtend<Middleware>()
  })
  it("cannot make up a result", () => {
    // @ts-expect-error only the operation knows what it gives back
    const wrong: Middleware = () => Effect.succeed("done")
    expectTypeOf(wrong).toBeFunction()
  })
})

describe("changes", () => {
  it("are of lists that there are", () => {
    Changes.listChanged("tools")
    // @ts-expect-error there is no such list
    Changes.listChanged("extensions")
  })
})
