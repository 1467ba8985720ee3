import { Frame } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

/** What a text is refused as: its code, what it tried to be, and the id that an answer would bear. */
const refused = (text: string): unknown => {
  const frame = Frame.fromText(text)
  return frame instanceof Frame.Malformed ? [frame.code, frame.about, frame.id] : frame
}

const taken = (text: string): void => expect(Frame.fromText(text)).toStrictEqual(JSON.parse(text))

describe("a request", () => {
  it("takes any string and any safe integer as its id", () => {
    for (const id of ['""', '"1"', '"🦜"', "0", "-1", "1.0", "9007199254740991", "-9007199254740991", "1e3"]) {
      taken(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)
    }
  })

  it("RPC-02 is refused, and its id never echoed, when that is anything else", () => {
    for (const id of ["null", "1.5", "9007199254740992", "1e400", "true", "[]", "{}", "[1]"]) {
      expect(refused(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toStrictEqual([-32600, "request", undefined])
    }
  })

  it("RPC-08 may leave its params out; null is wrong params, an array a wrong request", () => {
    taken(`{"jsonrpc":"2.0","id":1,"method":"x"}`)
    taken(`{"jsonrpc":"2.0","id":1,"method":"x","params":{}}`)
    expect(refused(`{"jsonrpc":"2.0","id":1,"method":"x","params":null}`)).toStrictEqual([-32602, "request", 1])
    const frame = Frame.fromText(`{"jsonrpc":"2.0","id":1,"method":"x","params":null}`)
    expect(frame instanceof Frame.Malformed && Frame.taken(frame)).toStrictEqual({ jsonrpc: "2.0", id: 1, method: "x" })
    for (const params of ["[]", "[1]", "1", '"x"', "true"]) {
      const text = `{"jsonrpc":"2.0","id":1,"method":"x","params":${params}}`
      expect(refused(text)).toStrictEqual([-32600, "request", 1])
    }
  })

  it("RPC-07 may have an empty method, and no other kind of method than a string", () => {
    taken(`{"jsonrpc":"2.0","id":7,"method":"","params":{}}`)
    for (const method of ["null", "1", "[]", '{"a":1}']) {
      const text = `{"jsonrpc":"2.0","id":7,"method":${method}}`
      expect(refused(text)).toStrictEqual([-32600, "request", 7])
    }
  })

  it("RPC-06 has no method of a notification", () => {
    expect(refused(`{"jsonrpc":"2.0","id":5,"method":"notifications/initialized"}`)).toStrictEqual([
      -32600,
      "request",
      5
    ])
  })
})

describe("a notification", () => {
  it("is a call without an id, and is refused without an answer", () => {
    taken(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
    taken(`{"jsonrpc":"2.0","method":"initialize","params":{}}`)
    for (const params of ["null", "[1]"]) {
      expect(refused(`{"jsonrpc":"2.0","method":"x","params":${params}}`)).toMatchObject([
        params === "null" ? -32602 : -32600,
        "notification",
        undefined
      ])
    }
  })
})

describe("a response", () => {
  it("is a result that is an object, or an error with an integer code and a message", () => {
    taken(`{"jsonrpc":"2.0","id":1,"result":{}}`)
    taken(`{"jsonrpc":"2.0","id":"","result":{"resultType":"x","more":[]}}`)
    taken(`{"jsonrpc":"2.0","id":0,"error":{"code":-32601,"message":"","data":null}}`)
  })

  it("may lack an id, or say null, only when it is an error", () => {
    taken(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`)
    taken(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`)
    for (const id of ["", `"id":null,`]) {
      expect(refused(`{"jsonrpc":"2.0",${id}"result":{}}`)).toStrictEqual([-32600, "response", undefined])
    }
  })

  it("RPC-11 is refused with its id when the result or the error is missing, null, doubled or of the wrong shape", () => {
    const wrong = [
      `"result":null`,
      `"result":[]`,
      `"result":"x"`,
      `"result":1`,
      `"result":{},"error":{"code":1,"message":"x"}`,
      `"result":{},"error":null`,
      `"error":null`,
      `"error":"x"`,
      `"error":{}`,
      `"error":{"code":"a","message":5}`,
      `"error":{"code":1.5,"message":"x"}`,
      `"error":{"code":1}`
    ]
    for (const member of wrong) {
      expect(refused(`{"jsonrpc":"2.0","id":4,${member}}`)).toStrictEqual([-32600, "response", 4])
    }
    for (const id of ["1.5", "true", "{}"]) {
      const text = `{"jsonrpc":"2.0","id":${id},"error":{"code":1,"message":"x"}}`
      expect(refused(text)).toStrictEqual([-32600, "response", undefined])
    }
  })
})

describe("what is neither", () => {
  it("RPC-16 is a parse error when it is not JSON, else an invalid request with the id that can be read", () => {
    expect(refused("{oops")).toStrictEqual([-32700, "unknown", undefined])
    expect(refused("")).toStrictEqual([-32700, "unknown", undefined])
    expect(refused(`{"jsonrpc":"2.0","id":4}`)).toStrictEqual([-32600, "unknown", 4])
    expect(refused(`{"jsonrpc":"1.0","id":5,"method":"ping"}`)).toStrictEqual([-32600, "request", 5])
    expect(refused(`{"id":6,"method":"ping"}`)).toStrictEqual([-32600, "request", 6])
    expect(refused(`{"jsonrpc":2,"id":6,"result":{}}`)).toStrictEqual([-32600, "response", 6])
    expect(refused(`{"method":"ping"}`)).toStrictEqual([-32600, "unknown", undefined])
    for (const text of ["null", "1", '"x"', "true", "{}"]) {
      expect(refused(text)).toStrictEqual([-32600, "unknown", undefined])
    }
  })

  it("holds nothing of its content", () => {
    const texts = [`{"SECRET-CANARY`, `"SECRET-CANARY"`, `{"jsonrpc":"2.0","id":1,"method":{"SECRET-CANARY":1}}`]
    for (const text of texts) expect(JSON.stringify(Frame.fromText(text))).not.toContain("SECRET")
  })
})

describe("members", () => {
  it("RPC-13 count only by their exact names, and the rest is kept as it is", () => {
    const texts = [
      `{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/call","Method":7}`,
      `{"jsonrpc":"2.0","id":1,"method":"x","params":{"name":"safe","Name":"danger","name\\u0000":"danger"}}`,
      `{"jsonrpc":"2.0","id":1,"method":"x","Params":[],"param\\u017f":[]}`,
      `{"jsonrpc":"2.0","id":1,"result":{},"Error":{},"extra":{"a":[1]}}`
    ]
    for (const text of texts) taken(text)
    expect(refused(`{"JSONRPC":"2.0","id":1,"method":"ping"}`)).toStrictEqual([-32600, "request", 1])
  })

  it("RPC-13 of two exact duplicates the last one counts, for us as for every JSON reader", () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"a","method":"b","params":{"name":"safe","name":"danger"}}`
    expect(Frame.fromText(text)).toStrictEqual({ jsonrpc: "2.0", id: 1, method: "b", params: { name: "danger" } })
  })

  it("are never taken from a prototype", () => {
    expect(refused(`{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}`)).toStrictEqual([
      -32600,
      "unknown",
      undefined
    ])
    const kept = Frame.fromText(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"__proto__":{"polluted":true}}}`)
    expect(JSON.stringify(kept)).toContain(`"__proto__":{"polluted":true}`)
    expect("polluted" in {}).toBe(false)
  })
})

describe("nesting", () => {
  const nested = (levels: number, [open, close]: readonly [string, string] = ["[", "]"]) =>
    open.repeat(levels) + close.repeat(levels)
  const call = (args: string) => `{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":${args}}}`

  it("may be 64 levels deep, the message itself being the first", () => {
    taken(call(nested(62)))
    expect(refused(call(nested(63)))).toStrictEqual([-32600, "request", 1])
    taken(`{"jsonrpc":"2.0","id":1,"result":{"a":${nested(62)}}}`)
    expect(refused(`{"jsonrpc":"2.0","id":1,"result":{"a":${nested(63)}}}`)).toStrictEqual([-32600, "response", 1])
  })

  it("may have another limit", () => {
    expect(Frame.fromText(call("[]"), 3)).toStrictEqual(JSON.parse(call("[]")))
    expect(Frame.fromText(call("[]"), 2)).toBeInstanceOf(Frame.Malformed)
  })

  it("RPC-15 never overflows the stack: 100,000 arrays, 50,000 objects, in a request, a result or a batch", () => {
    const started = performance.now()
    for (const deep of [nested(100_000), nested(50_000, ['{"a":', "}"]).replace("}", "1}"), nested(1_000_000)]) {
      for (const text of [call(deep), `{"jsonrpc":"2.0","id":1,"result":{"a":${deep}}}`, `[${deep}]`, deep]) {
        const frame = Frame.fromText(text)
        for (const entry of Array.isArray(frame) ? frame : [frame]) {
          expect(entry).toBeInstanceOf(Frame.Malformed)
          expect([-32600, -32700]).toContain(entry.code)
        }
      }
    }
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it("may be as wide as it likes", () => {
    taken(call(`[${Array.from({ length: 100_000 }, () => "{}").join(",")}]`))
  })
})

describe("a batch", () => {
  it("RPC-12 is read entry by entry, and an empty one is an invalid request", () => {
    const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
    const frame = Frame.fromText(`[${ping},1,{"jsonrpc":"2.0","id":2},[${ping}]]`)
    if (!Array.isArray(frame)) throw new Error("no batch")
    expect(frame.map((entry) => (entry instanceof Frame.Malformed ? [entry.code, entry.id] : entry))).toStrictEqual([
      JSON.parse(ping),
      [-32600, undefined],
      [-32600, 2],
      [-32600, undefined]
    ])
    expect(refused("[]")).toStrictEqual([-32600, "unknown", undefined])
  })

  it("has at most 1,024 entries, so that one line does not become millions of errors", () => {
    const ones = (n: number): string => `[${Array.from({ length: n }, () => "1").join(",")}]`
    expect(Frame.fromText(ones(1_024))).toHaveLength(1_024)
    expect(refused(ones(1_025))).toStrictEqual([-32600, "unknown", undefined])
  })
})
