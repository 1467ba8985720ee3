import type { JsonRpc } from "@effective-mcp/protocol"
import { type Server as EffectServer, Tool as EffectTool } from "@effective-mcp/server"
import {
  Ask,
  type Call,
  prompt,
  resource,
  resourceTemplate,
  server,
  tool,
  type Tool
} from "@effective-mcp/server/promise"
import { describe, expectTypeOf, it } from "@effect/vitest"
import { type } from "arktype"
import * as Effect from "effect/Effect"
import * as z from "zod"
import { info } from "./wire.ts"

declare const call: Call

describe("what an async function is given", () => {
  it("comes from zod or arktype: what the schema puts out", () => {
    tool("t", {
      input: z.object({ a: z.number(), b: z.string().optional(), n: z.string().transform(Number) }),
      run: async (args, call) => {
        expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string | undefined; n: number }>()
        expectTypeOf(call).toEqualTypeOf<Call>()
        return ""
      }
    })
    tool("t", {
      input: type({ a: "number", "b?": "string" }),
      run: async (args) => {
        expectTypeOf(args).toEqualTypeOf<{ a: number; b?: string }>()
        return ""
      }
    })
  })
  it("is nothing without a schema, and as it came with a JSON Schema", () => {
    tool("t", {
      run: async (args) => {
        expectTypeOf(args).toEqualTypeOf<{}>()
        return ""
      }
    })
    tool("t", {
      inputSchema: { type: "object" },
      run: async (args) => {
        expectTypeOf(args).toEqualTypeOf<JsonRpc.JsonObject>()
        return ""
      }
    })
  })
  it("of a template are its variables, of a prompt its arguments", () => {
    resourceTemplate("files://{dir}{/name}{?tags*}", {
      complete: { dir: ["src"] },
      read: (variables, call, uri) => {
        expectTypeOf(variables.dir).toEqualTypeOf<string>()
        expectTypeOf(variables.name).toEqualTypeOf<string | undefined>()
        expectTypeOf(call).toEqualTypeOf<Call>()
        expectTypeOf(uri).toEqualTypeOf<string>()
        return ""
      }
    })
    prompt("p", {
      arguments: z.object({ code: z.string(), lines: z.coerce.number<string>().optional() }),
      complete: { code: ["x"] },
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ code: string; lines?: number | undefined }>()
        return ""
      }
    })
    prompt("p", {
      run: (args) => {
        expectTypeOf(args).toEqualTypeOf<{}>()
        return ""
      }
    })
  })
  it("names what can be completed", () => {
    const wrong = () => {
      // @ts-expect-error the template has no such variable
      resourceTemplate("files://{dir}", { complete: { name: ["a"] }, read: () => "" })
      // @ts-expect-error the prompt has no such argument
      prompt("p", { arguments: z.object({ code: z.string() }), complete: { name: ["a"] }, run: () => "" })
      // @ts-expect-error an argument of a prompt is a text
      prompt("p", { arguments: z.object({ n: z.number() }), run: () => "" })
    }
    expectTypeOf(wrong).toBeFunction()
  })
})

describe("what an async function gives back", () => {
  it("is a text, content or a whole result", () => {
    tool("t", { run: () => "x" })
    tool("t", { run: async () => ({ type: "text", text: "x" }) as const })
    tool("t", { run: async () => ({ content: [], isError: true }) })
    // @ts-expect-error nothing is no answer
    tool("t", { run: async () => {} })
    // @ts-expect-error neither is an effect
    tool("t", { run: () => Effect.succeed("x") })
    // @ts-expect-error nor are bytes, which a resource may give back
    tool("t", { run: () => new Uint8Array() })
    resource("x:y", { read: async () => new Uint8Array() })
  })
  it("is what output describes, and nothing else", () => {
    const output = z.object({ n: z.string().transform(Number) })
    tool("t", { output, run: async () => ({ n: "1" }) })
    // @ts-expect-error the schema makes the number
    tool("t", { output, run: async () => ({ n: 1 }) })
    // @ts-expect-error a text is no value of it
    tool("t", { output, run: async () => "x" })
  })
})

it("answers have the types of their questions", () => {
  const asking = async () => {
    const { form, page, roots } = await call.ask({
      form: Ask.form("?", z.object({ name: z.string(), age: z.int().optional() })),
      page: Ask.url("?", "https://a.example"),
      roots: Ask.roots
    })
    if (form.action === "accept") expectTypeOf(form.content).toEqualTypeOf<{ name: string; age?: number | undefined }>()
    if (page.action === "accept") expectTypeOf(page.done).toEqualTypeOf<() => Promise<void>>()
    expectTypeOf(roots[0]?.uri).toEqualTypeOf<string | undefined>()
  }
  expectTypeOf(asking).toBeFunction()
})

it("features of both kinds make one server, which needs nothing", () => {
  const mine = tool("mine", { run: () => "" })
  expectTypeOf(mine).toEqualTypeOf<Tool>()
  const other = EffectTool.make("other", { run: () => Effect.succeed("") })
  expectTypeOf(server(info, [mine, other])).toEqualTypeOf<EffectServer.Server>()
})
