import { limits } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { expand } from "../src/config/expand.ts"
import { plain } from "../src/config/jsonc.ts"
import { keysOf } from "../src/config/keys.ts"
import { read } from "../src/config/read.ts"

const set: Readonly<Record<string, string>> = {
  HOME: "/home/me",
  KEY: "s3cr3t",
  EMPTY: "",
  "input:token": "t0ken",
  LONG: "x".repeat(limits.commandLineLength - 1)
}
const variables = (name: string): string | undefined => (Object.hasOwn(set, name) ? set[name] : undefined)

/** What the one entry of a configuration reads as. */
const readOne = (entry: unknown) => {
  const named = read({ mcpServers: { one: entry } }, variables)
  return "_tag" in named ? named : named[0]?.read
}

describe("an entry", () => {
  const places: ReadonlyArray<readonly [what: string, entry: object, place: object]> = [
    ["a command alone", { command: "a" }, { _tag: "Program", command: "a", args: [] }],
    [
      "a command with all it may have",
      { type: "stdio", command: "a", args: ["b", ""], env: { K: "v" }, cwd: "/c" },
      { _tag: "Program", command: "a", args: ["b", ""], env: { K: "v" }, cwd: "/c" }
    ],
    [
      "an address alone, which is looked at",
      { url: "https://a.example/mcp" },
      { _tag: "Url", url: "https://a.example/mcp" }
    ],
    ["type http, which is looked at too", { type: "http", url: "http://a" }, { _tag: "Url", url: "http://a/" }],
    ["streamable-http", { type: "streamable-http", url: "http://a/m" }, { url: "http://a/m", wire: "streamable-http" }],
    ["streamableHttp, as others write it", { type: "streamableHttp", url: "http://a/m" }, { wire: "streamable-http" }],
    ["httpUrl", { httpUrl: "http://a/m" }, { url: "http://a/m", wire: "streamable-http" }],
    ["serverUrl", { serverUrl: "http://a/m" }, { url: "http://a/m" }],
    ["transport for type", { transport: "sse", url: "http://a/s" }, { wire: "sse" }],
    ["sse", { type: "sse", url: "http://a/sse" }, { url: "http://a/sse", wire: "sse" }],
    [
      "plain, with headers",
      { type: "plain", url: "http://a/rpc", headers: { A: "b" } },
      { wire: "plain", headers: { A: "b" } }
    ],
    [
      "null for what is not set",
      { command: "a", args: null, env: null, cwd: null, url: undefined },
      { command: "a", args: [] }
    ]
  ]
  for (const [what, entry, place] of places) {
    it(`may be ${what}`, () => {
      expect(readOne(entry)).toMatchObject({ place })
    })
  }

  it("has variables put in wherever a text stands, once", () => {
    expect(
      readOne({
        command: "${HOME}/a",
        args: ["--${env:KEY}", "${NOPE:-d}", "$${HOME}"],
        env: { K: "${KEY}" },
        cwd: "${HOME}"
      })
    ).toMatchObject({
      place: { command: "/home/me/a", args: ["--s3cr3t", "d", "${HOME}"], env: { K: "s3cr3t" }, cwd: "/home/me" }
    })
    expect(readOne({ url: "https://a/${KEY}?x=${HOME}", headers: { A: "Bearer ${input:token}" } })).toMatchObject({
      place: { url: "https://a/s3cr3t?x=/home/me", headers: { A: "Bearer t0ken" } }
    })
  })

  const wrong: ReadonlyArray<readonly [entry: unknown, at: string, detail: RegExp]> = [
    [null, "", /no object/],
    ["npx s3cr3t", "", /no object/],
    [[], "", /no object/],
    [{}, "", /neither a command nor a url/],
    [{ command: "a", url: "http://a" }, "", /both/],
    [{ command: 5 }, ".command", /a number/],
    [{ command: " " }, ".command", /empty/],
    [{ command: "a", args: "s3cr3t" }, ".args", /a string, and has to be a list/],
    [{ command: "a", args: ["b", 8080] }, ".args[1]", /a number/],
    [{ command: "a", args: [["s3cr3t"]] }, ".args[0]", /a list/],
    [{ command: "a", args: Array.from({ length: 1_001 }, () => "b") }, ".args", /more than 1000/],
    [{ command: "a", env: ["s3cr3t"] }, ".env", /a list/],
    [{ command: "a", env: { PORT: 80 } }, ".env.PORT", /a number/],
    [{ command: "a", env: { "a b": true } }, '.env."a b"', /a boolean/],
    [{ command: "a", env: { A: "${" } }, ".env.A", /names no variable/],
    [{ command: "a", env: { A: "${s3cr3t value}" } }, ".env.A", /names no variable/],
    [{ command: "a", cwd: {} }, ".cwd", /an? object/],
    [{ command: "x".repeat(limits.commandLineLength + 1) }, ".command", /more than/],
    [{ command: "${LONG}${LONG}" }, ".command", /more than/],
    [{ command: "a", type: "sse" }, "", /of type stdio and not sse/],
    [{ url: "http://a", type: "stdio" }, "", /no command/],
    [{ url: "http://a", type: "websocket" }, ".type", /none of stdio/],
    [{ url: "ws://a" }, ".url", /no http: or https: address/],
    [{ url: "s3cr3t" }, ".url", /no http: or https: address/],
    [{ url: "http://me:s3cr3t@a/" }, ".url", /user or password/],
    [{ url: "http://a", headers: [] }, ".headers", /a list/],
    [{ url: "http://a", timeout: "30" }, ".timeout", /milliseconds/],
    [{ url: "http://a", timeout: -1 }, ".timeout", /milliseconds/],
    [JSON.parse(`{ "__proto__": { "command": "a" } }`), "", /neither/]
  ]
  for (const [entry, at, detail] of wrong) {
    const shown = (JSON.stringify(entry) ?? "").slice(0, 60)
    it(`is refused by its place, never by its value: ${shown} ${at}`, () => {
      const reason = readOne(entry)
      expect(reason).toEqual({ _tag: "BadConfig", at: `mcpServers.one${at}`, detail: expect.stringMatching(detail) })
      expect(JSON.stringify(reason)).not.toContain("s3cr3t")
    })
  }

  it("names the variable that is not set, and where", () => {
    for (const [entry, at] of [
      [{ command: "${NOPE}" }, "command"],
      [{ command: "a", args: ["${KEY}", "x${env:NOPE}"] }, "args[1]"],
      [{ command: "a", env: { A: "${KEY}${NOPE}" } }, "env.A"],
      [{ url: "http://${NOPE}" }, "url"],
      [{ url: "http://a", headers: { H: "${NOPE}" } }, "headers.H"]
    ] as const) {
      expect(readOne(entry)).toEqual({ _tag: "Unset", variable: "NOPE", at: `mcpServers.one.${at}` })
    }
    expect(readOne({ command: "${__proto__}" })).toMatchObject({ _tag: "Unset", variable: "__proto__" })
    expect(readOne({ command: "${constructor}" })).toMatchObject({ _tag: "Unset", variable: "constructor" })
  })

  it("may hold more than is read here; what nobody keeps for a host is told", () => {
    expect(readOne({ command: "a", alwaysAllow: ["x"], description: "d", envFile: ".env", sandbox: {} })).toMatchObject(
      {
        unknown: ["envFile", "sandbox"]
      }
    )
  })
})

describe("a configuration", () => {
  const namesIn = (config: unknown, only?: string) => {
    const named = read(config, variables, only)
    return "_tag" in named ? JSON.stringify(named) : named.map(({ name }) => name)
  }
  it("has its servers under either name, in their order, without those that are disabled", () => {
    const servers = { b: { command: "b" }, a: { url: "http://a" }, off: { command: "c", disabled: true } }
    expect(namesIn({ mcpServers: servers })).toEqual(["b", "a"])
    expect(namesIn({ servers, inputs: [] })).toEqual(["b", "a"])
    expect(namesIn({ mcpServers: servers }, "a")).toEqual(["a"])
    expect(namesIn({ mcpServers: servers }, "toString")).toMatch(/no server toString/)
  })
  it("that names no server is refused", () => {
    for (const config of [null, 5, "x", [], {}, { other: {} }, JSON.parse(`{"__proto__":{"mcpServers":{}}}`)]) {
      expect(namesIn(config)).toMatch(/neither mcpServers nor servers/)
    }
    expect(namesIn({ mcpServers: [] })).toMatch(/no object/)
    expect(namesIn({ mcpServers: {} })).toMatch(/no server that is not disabled/)
    expect(namesIn({ mcpServers: { a: { disabled: true } } })).toMatch(/no server that is not disabled/)
  })
  it("has a bound on its servers, which is looked at before any of them", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`s${n}`, { command: "a" }]))
    const begun = performance.now()
    expect(namesIn({ mcpServers: many })).toMatch(/more than 256 servers/)
    expect(performance.now() - begun).toBeLessThan(200)
  })
  it("keeps names that an object already has a meaning for", () => {
    const config = JSON.parse(`{"mcpServers":{"__proto__":{"command":"a"},"constructor":{"command":"b"}}}`)
    expect(namesIn(config)).toEqual(["__proto__", "constructor"])
    expect(keysOf(["__proto__", "constructor"])).toEqual(["proto", "constructor"])
    expect(Object.prototype).not.toHaveProperty("command")
  })
  it("has one entry that is wrong hide no other", () => {
    const named = read({ mcpServers: { a: { command: 1 }, b: { command: "b" } } }, variables)
    expect(named).toMatchObject([{ read: { _tag: "BadConfig" } }, { read: { place: { command: "b" } } }])
  })
})

describe("whatever JSON may hold", () => {
  it("is read or refused, and never thrown at", () => {
    const member = fc.constantFrom(
      "command",
      "args",
      "env",
      "cwd",
      "url",
      "headers",
      "type",
      "timeout",
      "disabled",
      "__proto__"
    )
    const text = fc.constantFrom("a", "${KEY}", "${", "http://a", "sse", "stdio", "")
    const value = fc.oneof(
      text,
      fc.array(text, { maxLength: 3 }),
      fc.dictionary(member, text),
      fc.jsonValue({ maxDepth: 3 })
    )
    const entries = fc.dictionary(fc.string({ maxLength: 8 }), fc.oneof(fc.dictionary(member, value), fc.jsonValue()))
    fc.assert(
      fc.property(fc.oneof(fc.record({ mcpServers: entries }), fc.jsonValue()), (config) => {
        const named = read(JSON.parse(JSON.stringify(config)), variables)
        expect("_tag" in named || named.length > 0).toBe(true)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("keys of a group", () => {
  for (const [names, keys] of [
    [
      ["files", "Git-Hub2"],
      ["files", "Git-Hub2"]
    ],
    [
      ["my_server", "@scope/server", "GitHub Copilot"],
      ["my-server", "scope-server", "GitHub-Copilot"]
    ],
    [
      ["a_b", "a-b", "A.B"],
      ["a-b", "a-b-2", "A-B-3"]
    ],
    [
      ["世界", "", "7up", "--"],
      ["server", "server-2", "up", "server-3"]
    ],
    [
      ["x".repeat(99), "x".repeat(98)],
      ["x".repeat(32), `${"x".repeat(30)}-2`]
    ]
  ] as const) {
    it(`of ${JSON.stringify(names).slice(0, 60)} are ${JSON.stringify(keys).slice(0, 60)}`, () => {
      expect(keysOf(names)).toEqual(keys)
    })
  }
})

it("keys of any names can be those of one group", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: fc.constantFrom(..."aA1-_ é") }), { maxLength: 40 }), (names) => {
      const keys = keysOf(names)
      expect(keys).toHaveLength(names.length)
      expect(new Set(keys.map((key) => key.toLowerCase())).size).toBe(names.length)
      for (const key of keys) expect(key).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,31}$/)
    })
  )
})

describe("variables in a text", () => {
  for (const [text, expanded] of [
    ["no variables, a $ and a }", "no variables, a $ and a }"],
    ["${HOME}${HOME}", "/home/me/home/me"],
    ["${EMPTY}|${EMPTY:-d}|${NOPE:-}", "|d|"],
    ["${NOPE:-a:-b}", "a:-b"],
    ["${env:NOPE:-x y}", "x y"]
  ] as const) {
    it(`${text} is ${JSON.stringify(expanded)}`, () => {
      expect(expand(text, variables)).toMatchObject({ text: expanded })
    })
  }
  it("are put in once: what a value holds is not looked at again", () => {
    expect(expand("${A}", () => "${B}")).toMatchObject({ text: "${B}" })
  })
})

describe("JSON as hosts keep it", () => {
  for (const [text, value] of [
    ['{"a":1}', { a: 1 }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{\n// note\n"a": 1, /* more */ "b": [1, 2,],\n}', { a: 1, b: [1, 2] }],
    ['{"a":"// no /* note */, }","b":"\\",]"}', { a: "// no /* note */, }", b: '",]' }],
    ['{"a":1,// end\n}', { a: 1 }],
    ['{"a":[]}//', { a: [] }]
  ] as const) {
    it(`${JSON.stringify(text)} is read`, () => {
      expect(JSON.parse(plain(text))).toEqual(value)
    })
  }
  for (const text of ["{", '{"a":', '{,"a":1}', "[1,,2]", '{"a":1', "/*", '"', '"\\', "{,}"]) {
    it(`${JSON.stringify(text)} is none, and ends`, () => {
      expect(plain(text)).toHaveLength(text.length)
      if (text !== "{,}") expect(() => JSON.parse(plain(text))).toThrow()
    })
  }
  it("takes time as its length", () => {
    for (const part of ["//\n", "/**/", ",", '"', "/*", '\\"', " "]) {
      const begun = performance.now()
      plain(part.repeat(Math.floor(limits.configBytes / part.length)))
      expect(performance.now() - begun).toBeLessThan(2_000)
    }
  })
})
