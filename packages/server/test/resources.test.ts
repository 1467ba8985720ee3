import { Resource, ResourceNotFound, ResourceTemplate, RpcError, Server } from "@effective-mcp/server"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { eras, plain } from "./both.ts"
import { info, Log, modern, wire } from "./wire.ts"

const readme = Resource.make("file:///docs/README.md", {
  title: "Read me",
  description: "What it is",
  mimeType: "text/markdown",
  size: 7,
  annotations: { audience: ["user"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" },
  icons: [{ src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"] }],
  _meta: { "com.example/a": 1 },
  read: Effect.succeed("# Hello")
})
const dot = Resource.make("test://dot", {
  name: "dot",
  mimeType: "image/png",
  read: Effect.succeed(new Uint8Array([0, 1, 254, 255]))
})

for (const [era, params] of eras) {
  describe(`resources of ${era}`, () => {
    it.effect("are listed with all that they say, in the order they were given", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(Server.make(info, [readme, dot]))
        expect(plain(yield* result("resources/list", params()))).toEqual({
          resources: [
            {
              uri: "file:///docs/README.md",
              name: "README.md",
              title: "Read me",
              description: "What it is",
              mimeType: "text/markdown",
              size: 7,
              annotations: { audience: ["user"], priority: 0.5, lastModified: "2025-01-12T15:00:58Z" },
              icons: [{ src: "https://example.com/icon.png", mimeType: "image/png", sizes: ["48x48"] }],
              _meta: { "com.example/a": 1 }
            },
            { uri: "test://dot", name: "dot", mimeType: "image/png" }
          ]
        })
        expect(plain(yield* result("resources/templates/list", params()))).toEqual({ resourceTemplates: [] })
      })
    )
    it.effect("are read as text, and as base64 where they are bytes", () =>
      Effect.gen(function* () {
        const { result } = yield* wire(Server.make(info, [readme, dot]))
        expect(plain(yield* result("resources/read", params({ uri: "file:///docs/README.md" })))).toEqual({
          contents: [{ uri: "file:///docs/README.md", mimeType: "text/markdown", text: "# Hello" }]
        })
        expect(plain(yield* result("resources/read", params({ uri: "test://dot" })))).toEqual({
          contents: [{ uri: "test://dot", mimeType: "image/png", blob: "AAH+/w==" }]
        })
      })
    )
    it.effect("may hold several things, each with its own URI and type", () =>
      Effect.gen(function* () {
        const folder = Resource.make("file:///docs", {
          mimeType: "text/plain",
          read: Effect.succeed([
            { uri: "file:///docs/a", text: "a" },
            { uri: "file:///docs/b", mimeType: "image/png", blob: "AAA=", _meta: { k: 1 } },
            { text: "itself" }
          ])
        })
        const { result } = yield* wire(Server.make(info, [folder]))
        expect(plain(yield* result("resources/read", params({ uri: "file:///docs" })))).toEqual({
          contents: [
            { uri: "file:///docs/a", mimeType: "text/plain", text: "a" },
            { uri: "file:///docs/b", mimeType: "image/png", blob: "AAA=", _meta: { k: 1 } },
            { uri: "file:///docs", mimeType: "text/plain", text: "itself" }
          ]
        })
      })
    )
    it.effect("come page by page", () =>
      Effect.gen(function* () {
        const many = ["a", "b", "c"].map((id) => Resource.make(`test://${id}`, { read: Effect.succeed(id) }))
        const more = ["x", "y"].map((id) => ResourceTemplate.make(`${id}://{id}`, { read: () => Effect.succeed(id) }))
        const { result } = yield* wire(Server.make(info, [...many, ...more], { pageSize: 2 }))
        const first = yield* result("resources/list", params())
        expect(first.resources).toHaveLength(2)
        const second = yield* result("resources/list", params({ cursor: first.nextCursor }))
        expect(second).toMatchObject({ resources: [{ uri: "test://c" }] })
        expect(second).not.toHaveProperty("nextCursor")
        expect(yield* result("resources/templates/list", params())).not.toHaveProperty("nextCursor")
      })
    )
  })

  describe(`a resource that is not there, on ${era}`, () => {
    const code = era === "modern" ? -32602 : -32002
    const nothing = Resource.make("test://nothing", { read: Effect.succeed([]) })
    const gone = ResourceTemplate.make("test://users/{id}", {
      variables: { id: Schema.FiniteFromString },
      read: (_, uri) => Effect.fail(new ResourceNotFound({ uri }))
    })
    const uris = ["test://unknown", "::bad::", "", "__proto__", "test://nothing", "test://users/1", "test://users/x"]
    for (const uri of uris) {
      it.effect(`FEA-15 is ${code} with its URI, never a result without contents: ${JSON.stringify(uri)}`, () =>
        Effect.gen(function* () {
          const { error, result } = yield* wire(Server.make(info, [nothing, gone]))
          expect(yield* error("resources/read", params({ uri }))).toEqual({
            code,
            message: "Resource not found",
            data: { uri }
          })
          yield* result("resources/list", params())
        })
      )
    }
    it.effect("RPC-08 cannot even be asked for without a URI", () =>
      Effect.gen(function* () {
        const { error, result } = yield* wire(Server.make(info, [readme]))
        for (const wrong of [{}, { uri: null }, { uri: 1 }, { uri: ["file:///docs/README.md"] }])
          expect(yield* error("resources/read", params(wrong))).toMatchObject({ code: -32602 })
        yield* result("resources/list", params())
      })
    )
    it.effect("has a URI that is repeated only up to a point", () =>
      Effect.gen(function* () {
        const { error } = yield* wire(Server.make(info, [readme]))
        const { data } = yield* error("resources/read", params({ uri: `test://${"x".repeat(1_000_000)}` }))
        expect(JSON.stringify(data).length).toBeLessThan(200)
      })
    )
  })

  describe(`a resource that fails, on ${era}`, () => {
    it.effect("FEA-15 S-44 is -32603 that says nothing of why; the log does", () => {
      const log = new Log()
      return Effect.gen(function* () {
        const failing = [
          Effect.fail(new Error("s3cr3t")),
          Effect.die("s3cr3t"),
          Effect.sync(() => undefined as never)
        ].map((read, at) => Resource.make(`test://${at}`, { read }))
        const throwing = ResourceTemplate.make("thrown://{id}", {
          read: () => {
            throw new Error("s3cr3t")
          }
        })
        const { error } = yield* wire(Server.make(info, [...failing, throwing]))
        for (const uri of ["test://0", "test://1", "test://2", "thrown://x"])
          expect(yield* error("resources/read", params({ uri }))).toEqual({ code: -32603, message: "Internal error" })
        expect(log.lines).toHaveLength(4)
        expect(log.lines.join()).toContain("s3cr3t")
      }).pipe(Effect.provide(log.layer))
    })
    it.effect("may choose its error", () =>
      Effect.gen(function* () {
        const locked = Resource.make("test://locked", {
          read: Effect.fail(new RpcError({ code: 423, message: "Locked", data: { by: "Ada" } }))
        })
        const { error } = yield* wire(Server.make(info, [locked]))
        expect(yield* error("resources/read", params({ uri: "test://locked" }))).toEqual({
          code: 423,
          message: "Locked",
          data: { by: "Ada" }
        })
      })
    )
  })
}

describe("a template", () => {
  const data = ResourceTemplate.make("test://template/{id}/data", {
    name: "data",
    title: "Data",
    description: "Of one thing",
    mimeType: "application/json",
    annotations: { priority: 1 },
    read: ({ id }) => Effect.succeed(JSON.stringify({ id }))
  })
  it.effect("is listed as one, and reads each resource with what its URI says, decoded once", () =>
    Effect.gen(function* () {
      const { result } = yield* wire(Server.make(info, [data]))
      expect((yield* result("resources/templates/list")).resourceTemplates).toEqual([
        {
          uriTemplate: "test://template/{id}/data",
          name: "data",
          title: "Data",
          description: "Of one thing",
          mimeType: "application/json",
          annotations: { priority: 1 }
        }
      ])
      expect((yield* result("resources/list")).resources).toEqual([])
      for (const [written, id] of [
        ["123", "123"],
        ["caf%C3%A9", "café"],
        ["a%2Fb", "a/b"],
        ["%2541", "%41"]
      ]) {
        const uri = `test://template/${written}/data`
        expect(yield* result("resources/read", { uri })).toEqual({
          contents: [{ uri, mimeType: "application/json", text: JSON.stringify({ id }) }]
        })
      }
    })
  )
  it.effect("comes after a fixed resource, and the first of several that fit is the one", () =>
    Effect.gen(function* () {
      const make = (template: string, says: string) =>
        ResourceTemplate.make(template, { read: () => Effect.succeed(says) })
      const fixed = Resource.make("t://a", { read: Effect.succeed("fixed") })
      const { result } = yield* wire(Server.make(info, [make("t://{x}", "first"), make("t://{+x}", "second"), fixed]))
      const read = (uri: string) => Effect.map(result("resources/read", { uri }), ({ contents }) => contents)
      expect(yield* read("t://a")).toMatchObject([{ text: "fixed" }])
      expect(yield* read("t://b")).toMatchObject([{ text: "first" }])
      expect(yield* read("t://b/c")).toMatchObject([{ text: "second" }])
    })
  )
  it.effect("decodes its variables where they are described", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const users = ResourceTemplate.make("users://{id}{?tags*}", {
        variables: { id: Schema.FiniteFromString, tags: Schema.optionalKey(Schema.Array(Schema.String)) },
        read: (variables) => {
          seen.push(variables)
          return Effect.succeed("")
        }
      })
      const { result } = yield* wire(Server.make(info, [users]))
      yield* result("resources/read", { uri: "users://7" })
      expect(seen).toEqual([{ id: 7 }])
    })
  )
  const climbing = [
    "file:///..%2F..%2Fetc%2Fpasswd",
    "file:///../../etc/passwd",
    "file:///a/..%2F..%2Fb",
    "file:///a/%2E%2E/b",
    "file:///..",
    "file:////etc/passwd",
    "file:///%2Fetc",
    "file:///C:%5Cwindows",
    "file:///C:/windows",
    "file:///a%5C..%5Cb",
    "file:///a%00.png",
    "file:///a%0A",
    "file:///..%20/b"
  ]
  for (const uri of climbing) {
    it.effect(`names no resource with a variable that leads out of a folder, unless it is let: ${uri}`, () =>
      Effect.gen(function* () {
        const read = ({ path }: { readonly path: string }) => Effect.succeed(`read ${path}`)
        const closed = yield* wire(Server.make(info, [ResourceTemplate.make("file:///{+path}", { read })]))
        expect(yield* closed.error("resources/read", { uri })).toMatchObject({ code: -32002, data: { uri } })
        expect((yield* closed.result("resources/read", { uri: "file:///a/b..c/.d" })).contents).toMatchObject([
          { text: "read a/b..c/.d" }
        ])
        const open = ResourceTemplate.make("file:///{+path}", { allowTraversal: true, read })
        const { result } = yield* wire(Server.make(info, [open]))
        yield* result("resources/read", { uri })
      })
    )
  }
  for (const text of ["users://{id", "users://{a-b}", "x://{foo\n}"]) {
    it(`that is malformed is a mistake of the author: ${JSON.stringify(text)}`, () => {
      expect(() => ResourceTemplate.make(text, { read: () => Effect.succeed("") })).toThrow()
    })
  }
  it("FEA-10 that is hostile matches in time, at the server too", () => {
    const tree = ResourceTemplate.make("res://x{/id*}", { read: () => Effect.succeed("") })
    const start = performance.now()
    expect(tree.read(`res://x${"/a,".repeat(50_000)}`)).toBeUndefined()
    expect(performance.now() - start).toBeLessThan(100)
  })
})

describe("a mistake of the author", () => {
  const read = Effect.succeed("")
  it("is found when the resource or its server is made", () => {
    expect(() => Resource.make("no uri", { read })).toThrow(/URI/)
    expect(() => Resource.make("", { read })).toThrow(/URI/)
    expect(() => Resource.make("a://b", { read: (() => read) as never })).toThrow(/Effect/)
    expect(() => Resource.make("a://b", { read, cache: { ttlMs: -1 } })).toThrow(/ttlMs/)
    const twice = [Resource.make("a://b", { read }), Resource.make("a://b", { name: "other", read })]
    expect(() => Server.make(info, twice)).toThrow(/same URI: "a:\/\/b"/)
    const template = ResourceTemplate.make("a://{b}", { read: () => read })
    expect(() => Server.make(info, [template, template])).toThrow(/same URI template/)
    const wrong = { complete: { c: [] }, read: () => read } as never
    expect(() => ResourceTemplate.make("a://{b}", wrong)).toThrow(/no such variable/)
  })
})

describe("hints for reading", () => {
  it.effect("are the result's own, then the resource's, then the server's", () =>
    Effect.gen(function* () {
      const features = [
        Resource.make("a://1", { read: Effect.succeed("") }),
        Resource.make("a://2", { cache: { ttlMs: 2 }, read: Effect.succeed("") }),
        Resource.make("a://3", { cache: { ttlMs: 2 }, read: Effect.succeed({ contents: [{ text: "" }], ttlMs: 3 }) })
      ]
      const cache = { "resources/read": { ttlMs: 1, cacheScope: "public" } } as const
      const { result } = yield* wire(Server.make(info, features, { cache }))
      for (const ttlMs of [1, 2, 3]) {
        const read = yield* result("resources/read", modern({ uri: `a://${ttlMs}` }))
        expect(read).toMatchObject({ ttlMs, cacheScope: "public" })
        expect(yield* result("resources/read", { uri: `a://${ttlMs}` })).not.toHaveProperty("ttlMs")
      }
    })
  )
})
