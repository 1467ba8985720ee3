import type { CallToolResult, Content, CreateMessageParams, ElicitParams, Revision } from "@effective-mcp/protocol"
import { Invalid, legacyRevisions, modernRevisions } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"

const revisions = [...modernRevisions, ...legacyRevisions]

/** What each revision makes of a thing, newest first: 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05. */
const each = <A>(project: (revision: Revision) => A): ReadonlyArray<A> => revisions.map(project)

const callOf = (result: CallToolResult) => each(({ methods }) => methods["tools/call"]!.encodeResult(result))

const keysOf = (value: unknown): ReadonlyArray<string> => Object.keys(Object(value)).sort()

const annotations = { priority: 1, lastModified: "2026-01-01T00:00:00Z" }
const icons = [{ src: "https://example.com/a.svg" }]
const _meta = { "example.com/x": 1 }

describe("content", () => {
  const firstOf = (block: Content) =>
    callOf({ content: [block] }).map(({ content }) => Array.isArray(content) && content[0])

  it("that is sound is told in words on 2024-11-05", () => {
    const sound = { type: "audio", data: "AAAA", mimeType: "audio/wav", annotations: { priority: 1 } } as const
    const words = { type: "text", text: expect.stringContaining("audio/wav"), annotations: { priority: 1 } }
    expect(firstOf(sound)).toEqual([sound, sound, sound, sound, words])
  })

  it("that links to a resource is its name and URI before 2025-06-18, and has no icons before 2025-11-25", () => {
    const link = { type: "resource_link", uri: "file:///a", name: "a", title: "A" } as const
    const words = { type: "text", text: "A: file:///a" }
    expect(firstOf({ ...link, icons })).toEqual([{ ...link, icons }, { ...link, icons }, link, words, words])
  })

  it("has metadata, and a time in its annotations, from 2025-06-18", () => {
    const text = { type: "text", text: "a", annotations, _meta } as const
    const old = { type: "text", text: "a", annotations: { priority: 1 } }
    expect(firstOf(text)).toEqual([text, text, text, old, old])
  })

  it("that is embedded has metadata from 2025-06-18", () => {
    const old = { type: "resource", resource: { uri: "x:1", text: "a" } } as const
    const embedded = { ...old, resource: { ...old.resource, _meta } }
    expect(firstOf(embedded)).toEqual([embedded, embedded, embedded, old, old])
  })
})

describe("structured content", () => {
  const structured = (structuredContent: unknown, content: ReadonlyArray<Content> = []) =>
    callOf({ content, structuredContent })

  it("is an object from 2025-06-18, any JSON on 2026-07-28, and its JSON as text where it cannot be said", () => {
    const object = { content: [], structuredContent: { n: 1 } }
    const objectText = { content: [{ type: "text", text: '{"n":1}' }] }
    expect(structured({ n: 1 })).toEqual([object, object, object, objectText, objectText])
    const list = { content: [{ type: "text", text: "[1]" }] }
    expect(structured([1])).toEqual([{ content: [], structuredContent: [1] }, list, list, list, list])
  })

  it("of what a tool gave a model is its JSON, too, where it cannot be said and there is no text", () => {
    const asked = (structuredContent: unknown, content: ReadonlyArray<Content>) => {
      const gave = { type: "tool_result", toolUseId: "1", content, structuredContent } as const
      return revisions[1]!.questions["sampling/createMessage"]!.encodeParams({
        maxTokens: 1,
        messages: [{ role: "user", content: gave }]
      })
    }
    const block = { type: "tool_result", toolUseId: "1" }
    const words = (value: string) => [{ type: "text", text: value }] as const
    const message = (content: object) => ({ maxTokens: 1, messages: [{ role: "user", content }] })
    expect(asked([1], [])).toStrictEqual(message({ ...block, content: words("[1]") }))
    expect(asked([1], words("one"))).toStrictEqual(message({ ...block, content: words("one") }))
    expect(asked({ n: 1 }, [])).toStrictEqual(message({ ...block, content: [], structuredContent: { n: 1 } }))
  })

  it("is left to the text that goes with it where there is one", () => {
    const content = [{ type: "text", text: "one" }] as const
    expect(structured([1], content).slice(1)).toEqual(Array.from({ length: 4 }, () => ({ content })))
  })
})

describe("a list", () => {
  const described = { name: "a", title: "A", description: "b", icons, _meta }
  const newest = ["_meta", "description", "icons", "name", "title"]
  const titled = ["_meta", "description", "name", "title"]
  const named = ["description", "name"]

  it("has of tools what the revision knows", () => {
    const schema = { type: "object" }
    const tool = { ...described, inputSchema: schema, outputSchema: schema, annotations: { title: "A" } }
    const more = ["annotations", "inputSchema", "outputSchema"]
    const found = each(({ methods }) => methods["tools/list"]!.encodeResult({ tools: [tool] }))
    expect(found.map(({ tools }) => keysOf(Array.isArray(tools) && tools[0]))).toEqual([
      [...newest, ...more].sort(),
      [...newest, ...more].sort(),
      [...titled, ...more].sort(),
      [...named, "annotations", "inputSchema"].sort(),
      [...named, "inputSchema"].sort()
    ])
  })

  it("says on 2025-11-25 alone how a tool is executed", () => {
    const tool = { name: "a", inputSchema: { type: "object" }, execution: { taskSupport: "optional" } }
    const { execution: _unsaid, ...plain } = tool
    const listed = each(({ methods }) => methods["tools/list"]!.encodeResult({ tools: [tool] }).tools)
    expect(listed).toStrictEqual([[plain], [tool], [plain], [plain], [plain]])
    const params = { maxTokens: 1, messages: [], tools: [tool] }
    const asked = each(({ questions }) => questions["sampling/createMessage"]!.encodeParams(params))
    expect(asked.slice(0, 2)).toMatchObject([{ tools: [plain] }, { tools: [tool] }])
    expect(JSON.stringify(asked[0])).not.toContain("execution")
  })

  it("has of resources and templates what the revision knows", () => {
    const found = each(({ methods }) => [
      methods["resources/list"]!.encodeResult({ resources: [{ ...described, uri: "x:1", annotations }] }).resources,
      methods["resources/templates/list"]!.encodeResult({
        resourceTemplates: [{ ...described, uriTemplate: "x:{1}", annotations }]
      }).resourceTemplates
    ])
    const keys = [newest, newest, titled, named, named].map((known) => [...known, "annotations"].sort())
    const places = [["uri"], ["uriTemplate"]]
    expect(found.map((both) => both.map((items) => keysOf(Array.isArray(items) && items[0])))).toEqual(
      keys.map((known) => places.map((place) => [...known, ...place].sort()))
    )
    const times = found.map((both) => both.map((items) => JSON.stringify(items).includes("lastModified")))
    expect(times).toEqual([true, true, true, false, false].map((has) => [has, has]))
  })

  it("has of prompts and their arguments what the revision knows", () => {
    const prompt = { ...described, arguments: [{ name: "x", title: "X" }] }
    const found = each(({ methods }) => methods["prompts/list"]!.encodeResult({ prompts: [prompt] }).prompts)
    expect(found.map((prompts) => keysOf(Array.isArray(prompts) && prompts[0]))).toEqual(
      [newest, newest, titled, named, named].map((known) => [...known, "arguments"].sort())
    )
    const titles = found.map((prompts) => JSON.stringify(prompts).includes('"X"'))
    expect(titles).toEqual([true, true, true, false, false])
  })

  it("has caching hints on 2026-07-28 alone, where it always has them", () => {
    const hints = { ttlMs: 5, cacheScope: "public" } as const
    const stale = { ttlMs: 0, cacheScope: "private" }
    for (const method of [
      "tools/list",
      "resources/list",
      "resources/templates/list",
      "prompts/list",
      "resources/read"
    ]) {
      const encode = (extra: object) =>
        each(({ methods }) => {
          // cast: each of them is a list
          const codec = methods[method as "tools/list"]!
          const empty = { tools: [], resources: [], resourceTemplates: [], prompts: [], contents: [] }
          const { cacheScope, ttlMs } = codec.encodeResult({ ...empty, ...extra })
          return cacheScope === undefined && ttlMs === undefined ? {} : { cacheScope, ttlMs }
        })
      expect(encode(hints)).toEqual([hints, {}, {}, {}, {}])
      expect(encode({})).toEqual([stale, {}, {}, {}, {}])
    }
  })
})

describe("a result that comes from a modern server", () => {
  it("is told to a legacy client without its type, and to nobody with questions", () => {
    const modern = { resultType: "complete", inputRequests: {}, requestState: "sealed" }
    const answers = {
      "tools/list": { tools: [] },
      "tools/call": { content: [{ type: "text", text: "a" }] },
      "prompts/list": { prompts: [] },
      "prompts/get": { messages: [] },
      "resources/list": { resources: [] },
      "resources/templates/list": { resourceTemplates: [] },
      "resources/read": { contents: [] },
      "completion/complete": { completion: { values: [] } }
    } as const
    for (const [method, answer] of Object.entries(answers)) {
      // cast: each of them answers its own method
      const encode = (result: object) =>
        legacyRevisions.map(({ methods }) => methods[method as "tools/list"]!.encodeResult(result as never))
      expect(encode({ ...answer, ...modern })).toStrictEqual(legacyRevisions.map(() => answer))
    }
    const whole = { content: [{ type: "image", data: "", mimeType: "a/b" }], structuredContent: {} } as const
    for (const wire of callOf({ ...whole, ...modern }).slice(1)) {
      expect(Object.keys(wire)).not.toEqual(expect.arrayContaining([expect.toBeOneOf(Object.keys(modern))]))
    }
    const [{ methods }] = modernRevisions
    const complete = { resultType: "complete" }
    const { content } = answers["tools/call"]
    expect(methods["tools/call"]!.encodeResult({ content, ...modern })).toEqual({ content, ...complete })
    expect(methods["prompts/get"]!.encodeResult({ messages: [], ...modern })).toEqual({ messages: [], ...complete })
    expect(methods["resources/read"]!.encodeResult({ contents: [], ...modern })).toMatchObject(complete)
    expect(methods["resources/read"]!.encodeResult({ contents: [], ...modern })).not.toHaveProperty("requestState")
  })
})

describe("completion", () => {
  it("says what is known of other arguments from 2025-06-18, and a reference's title", () => {
    const params = {
      ref: { type: "ref/prompt", name: "a", title: "A" },
      argument: { name: "x", value: "1" },
      context: { arguments: { y: "2" } }
    } as const
    const old = { ref: { type: "ref/prompt", name: "a" }, argument: params.argument }
    expect(each(({ methods }) => methods["completion/complete"]!.encodeParams(params))).toEqual([
      params,
      params,
      params,
      old,
      old
    ])
  })

  it("is of at most 100 values, and says that there are more", () => {
    const values = Array.from({ length: 101 }, (_, index) => String(index))
    for (const result of each(({ methods }) =>
      methods["completion/complete"]!.encodeResult({ completion: { values } })
    )) {
      expect(result).toMatchObject({ completion: { values: values.slice(0, 100), hasMore: true } })
    }
  })
})

describe("what a server asks of a user", () => {
  const ask = (params: ElicitParams) =>
    each(({ questions }) => {
      const wire = questions["elicitation/create"]?.encodeParams(params)
      return wire instanceof Invalid ? "invalid" : wire
    })

  it("is a page from 2025-11-25, with an id there alone", () => {
    const page = { mode: "url", message: "Sign in", url: "https://example.com" } as const
    expect(ask(page)).toEqual([page, "invalid", "invalid", undefined, undefined])
    const named = { ...page, elicitationId: "1" }
    expect(ask(named)).toEqual([page, named, "invalid", undefined, undefined])
  })

  it("is a form of what 2025-06-18 knows: no defaults but of booleans, no titles but as names, one value a field", () => {
    const form = {
      mode: "form",
      message: "Who?",
      requestedSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          name: { type: "string", default: "x", minLength: 1 },
          age: { type: "integer", default: 7 },
          member: { type: "boolean", default: true },
          size: { type: "string", oneOf: [{ const: "s", title: "Small" }], default: "s" },
          old: { type: "string", enum: ["a"], enumNames: ["A"], default: "a" },
          several: { type: "array", items: { type: "string", enum: ["a", "b"] } }
        },
        required: ["name"]
      }
    } as const
    const [modern, newest, older, ...none] = ask(form)
    expect(modern).toEqual(form)
    expect(newest).toEqual(form)
    expect(older).toEqual({
      message: "Who?",
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string", minLength: 1 },
          age: { type: "integer" },
          member: { type: "boolean", default: true },
          size: { type: "string", enum: ["s"], enumNames: ["Small"] },
          old: { type: "string", enum: ["a"], enumNames: ["A"] }
        },
        required: ["name"]
      }
    })
    expect(none).toEqual([undefined, undefined])
    const required = { ...form, requestedSchema: { ...form.requestedSchema, required: ["several"] } }
    expect(ask(required)[2]).toBe("invalid")
  })

  it("is answered without metadata on 2026-07-28, and with one value a field on 2025-06-18", () => {
    const result = { action: "accept", content: { a: "x", b: ["y"] }, _meta } as const
    expect(each(({ questions }) => questions["elicitation/create"]?.encodeResult(result))).toEqual([
      { action: "accept", content: result.content },
      result,
      { action: "accept", content: { a: "x" }, _meta },
      undefined,
      undefined
    ])
  })
})

describe("what a server asks of a model", () => {
  const use = { type: "tool_use", id: "1", name: "add", input: { a: 1 } } as const
  const gave = {
    type: "tool_result",
    toolUseId: "1",
    content: [{ type: "text", text: "3" }],
    structuredContent: 3
  } as const
  const params: CreateMessageParams = {
    maxTokens: 10,
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "1+2?" },
          { type: "text", text: "quick" }
        ],
        _meta
      },
      { role: "assistant", content: [use] },
      { role: "user", content: [gave] }
    ],
    tools: [{ name: "add", inputSchema: { type: "object" } }],
    toolChoice: { mode: "auto" }
  }
  const ask = (asked: CreateMessageParams) =>
    each(({ questions }) => questions["sampling/createMessage"]!.encodeParams(asked))

  it("has tools and several blocks a message from 2025-11-25; before, a block a message, and calls in words", () => {
    const [modern, newest, ...older] = ask(params)
    expect(modern).toEqual(params)
    const { structuredContent: _number, ...withoutNumber } = gave
    expect(newest).toMatchObject({
      ...params,
      messages: [params.messages[0], params.messages[1], { content: [withoutNumber] }]
    })
    expect(JSON.stringify(newest)).not.toContain("structuredContent")
    for (const wire of older) {
      expect(wire).toEqual({
        maxTokens: 10,
        messages: [
          { role: "user", content: { type: "text", text: "1+2?" } },
          { role: "user", content: { type: "text", text: "quick" } },
          { role: "assistant", content: { type: "text", text: '[calls add: {"a":1}]' } },
          { role: "user", content: { type: "text", text: "3" } }
        ]
      })
    }
  })

  it("has all that a tool gave in words before 2025-11-25: that it failed, data that cannot be carried, nothing at all", () => {
    const words = (given: Partial<typeof gave> | object) => {
      const result = { type: "tool_result", toolUseId: "1", content: [], ...given } as const
      return ask({ maxTokens: 1, messages: [{ role: "user", content: result }] })
        .slice(2)
        .map((wire) => {
          const { messages } = Object(wire)
          return Array.isArray(messages) ? messages.map(({ content }) => content.text ?? content.type) : wire
        })
    }
    const same = (...texts: ReadonlyArray<string>) => [texts, texts, texts]
    const blob = { type: "resource", resource: { uri: "file:///a.pdf", blob: "AA", mimeType: "application/pdf" } }
    const pdf = "[application/pdf: file:///a.pdf, which this connection cannot carry]"
    const bytes = { type: "resource", resource: { uri: "file:///a", blob: "AA" } }
    const image = { type: "image", data: "", mimeType: "a/b" }
    expect(words({})).toEqual(same("[the call gave nothing]"))
    expect(words({ structuredContent: { n: 1 } })).toEqual(same('{"n":1}'))
    expect(words({ structuredContent: null })).toEqual(same("null"))
    expect(words({ structuredContent: [1], content: [image] })).toEqual(same("image", "[1]"))
    expect(words({ structuredContent: [1], content: [blob] })).toEqual(same(pdf, "[1]"))
    expect(words({ content: [bytes] })).toEqual(
      same("[application/octet-stream: file:///a, which this connection cannot carry]")
    )
    const text = { type: "resource", resource: { uri: "x:1", text: "one" } }
    expect(words({ structuredContent: [1], content: [text] })).toEqual(same("one"))
    expect(words({ isError: true })).toEqual(same("[the call failed]"))
    expect(words({ isError: true, content: gave.content })).toEqual(same("[the call failed]", "3"))
    expect(words({ isError: false, content: gave.content })).toEqual(same("3"))
  })

  it("cannot be asked where no message says anything, and none is lost where there are none", () => {
    const silent = { maxTokens: 1, messages: [{ role: "user", content: [] }] } as const
    expect(ask(silent).map((wire) => wire instanceof Invalid)).toEqual([false, false, true, true, true])
    for (const wire of ask({ maxTokens: 1, messages: [] })) expect(wire).toEqual({ maxTokens: 1, messages: [] })
  })

  it("cannot require a call of a tool before 2025-11-25", () => {
    const found = ask({ ...params, toolChoice: { mode: "required" } }).map((wire) => wire instanceof Invalid)
    expect(found).toEqual([false, false, true, true, true])
  })

  it("is answered with one block before 2025-11-25: the text of all, or the first", () => {
    const answer = { role: "assistant", model: "m" } as const
    const texts = [
      { type: "text", text: "a" },
      { type: "text", text: "b" }
    ] as const
    const encode = (content: CreateMessageParams["messages"][number]["content"]) =>
      each(({ questions }) => questions["sampling/createMessage"]!.encodeResult({ ...answer, content }).content)
    expect(encode(texts)).toEqual([texts, texts, ...Array.from({ length: 3 }, () => ({ type: "text", text: "a\nb" }))])
    const image = { type: "image", data: "", mimeType: "a/b" } as const
    expect(encode([image, image]).slice(2)).toEqual([image, image, image])
  })

  it("has sound told in words on 2024-11-05", () => {
    const sound = { type: "audio", data: "", mimeType: "audio/wav" } as const
    const [, , , known, words] = ask({ maxTokens: 1, messages: [{ role: "user", content: sound }] })
    expect(known).toMatchObject({ messages: [{ content: sound }] })
    expect(words).toMatchObject({ messages: [{ content: { type: "text" } }] })
  })
})

describe("the two sides", () => {
  it("are introduced with what the revision knows", () => {
    const info = { name: "a", version: "1", title: "A", description: "b", websiteUrl: "https://example.com", icons }
    const capabilities = { tools: {}, completions: {}, tasks: {}, extensions: {}, "x-vendor": 1 }
    const found = legacyRevisions.map(({ openings, version }) =>
      openings.initialize!.encodeResult({ protocolVersion: version, serverInfo: info, capabilities })
    )
    const whole = ["description", "icons", "name", "title", "version", "websiteUrl"]
    const keys = [whole, ["name", "title", "version"], ["name", "version"], ["name", "version"]]
    expect(found.map(({ serverInfo }) => keysOf(serverInfo))).toEqual(keys)
    expect(found.map(({ capabilities }) => keysOf(capabilities))).toEqual([
      keysOf(capabilities),
      ["completions", "tools", "x-vendor"],
      ["completions", "tools", "x-vendor"],
      ["tools", "x-vendor"]
    ])
    const asked = legacyRevisions.map(({ openings, version }) =>
      openings.initialize!.encodeParams({
        protocolVersion: version,
        clientInfo: info,
        capabilities: { elicitation: {} }
      })
    )
    expect(asked.map(({ clientInfo }) => keysOf(clientInfo))).toEqual(keys)
    expect(asked.map(({ capabilities }) => keysOf(capabilities))).toEqual([["elicitation"], ["elicitation"], [], []])
  })
})

describe("what is told", () => {
  it("has progress in words from 2025-03-26", () => {
    const said = { progressToken: 1, progress: 1, message: "half" }
    const { message: _words, ...numbers } = said
    const progress = "notifications/progress"
    expect(each(({ notifications }) => notifications.fromServer[progress]!.encodeParams(said))).toEqual([
      said,
      said,
      said,
      said,
      numbers
    ])
  })

  it("has roots with metadata from 2025-06-18, and lists of them without on 2026-07-28", () => {
    const result = { roots: [{ uri: "file:///a", _meta }], _meta }
    const old = { roots: [{ uri: "file:///a" }], _meta }
    expect(each(({ questions }) => questions["roots/list"]!.encodeResult(result))).toEqual([
      { roots: result.roots },
      result,
      result,
      old,
      old
    ])
  })

  it("says with its own code that there is no such resource", () =>
    expect(each(({ methods }) => methods["resources/read"]!.notFound)).toEqual([
      -32602, -32002, -32002, -32002, -32002
    ]))

  it("says as a result that arguments do not fit, from 2025-11-25", () =>
    expect(each(({ methods }) => methods["tools/call"]!.wrongArguments !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false
    ]))
})
