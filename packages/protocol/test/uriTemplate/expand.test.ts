import { UriTemplate } from "@effective-mcp/protocol"
import { describe, expect, it } from "vitest"

/** The variables of RFC 6570, section 3.2. */
const variables = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  keys: { semi: ";", dot: ".", comma: "," },
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  empty_keys: {},
  undef: null
}

/** Section 1.2, levels 1 to 4, and all tables of section 3.2: a template and what it makes of the variables. */
const sections: { readonly [title: string]: ReadonlyArray<readonly [template: string, uri: string]> } = {
  "3.2.1 variable expansion": [
    ["{count}", "one,two,three"],
    ["{count*}", "one,two,three"],
    ["{/count}", "/one,two,three"],
    ["{/count*}", "/one/two/three"],
    ["{;count}", ";count=one,two,three"],
    ["{;count*}", ";count=one;count=two;count=three"],
    ["{?count}", "?count=one,two,three"],
    ["{?count*}", "?count=one&count=two&count=three"],
    ["{&count*}", "&count=one&count=two&count=three"]
  ],
  "3.2.2 simple strings": [
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["{x,y}", "1024,768"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["?{undef,y}", "?768"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{keys}", "semi,%3B,dot,.,comma,%2C"],
    ["{keys*}", "semi=%3B,dot=.,comma=%2C"]
  ],
  "3.2.3 reserved": [
    ["{+var}", "value"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["O{+empty}X", "OX"],
    ["O{+undef}X", "OX"],
    ["{+path}/here", "/foo/bar/here"],
    ["{+path:6}/here", "/foo/b/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["up{+path}{var}/here", "up/foo/barvalue/here"],
    ["{+x,hello,y}", "1024,Hello%20World!,768"],
    ["{+path,x}/here", "/foo/bar,1024/here"],
    ["{+list}", "red,green,blue"],
    ["{+list*}", "red,green,blue"],
    ["{+keys}", "semi,;,dot,.,comma,,"],
    ["{+keys*}", "semi=;,dot=.,comma=,"]
  ],
  "3.2.4 fragments": [
    ["{#var}", "#value"],
    ["{#hello}", "#Hello%20World!"],
    ["{#half}", "#50%25"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{#path,x}/here", "#/foo/bar,1024/here"],
    ["{#path:6}/here", "#/foo/b/here"],
    ["{#list}", "#red,green,blue"],
    ["{#list*}", "#red,green,blue"],
    ["{#keys}", "#semi,;,dot,.,comma,,"],
    ["{#keys*}", "#semi=;,dot=.,comma=,"]
  ],
  "3.2.5 labels": [
    ["{.who}", ".fred"],
    ["{.who,who}", ".fred.fred"],
    ["{.half,who}", ".50%25.fred"],
    ["www{.dom*}", "www.example.com"],
    ["X{.var}", "X.value"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["X{.var:3}", "X.val"],
    ["X{.list}", "X.red,green,blue"],
    ["X{.list*}", "X.red.green.blue"],
    ["X{.keys}", "X.semi,%3B,dot,.,comma,%2C"],
    ["X{.keys*}", "X.semi=%3B.dot=..comma=%2C"],
    ["X{.empty_keys}", "X"],
    ["X{.empty_keys*}", "X"]
  ],
  "3.2.6 path segments": [
    ["{/who}", "/fred"],
    ["{/who,who}", "/fred/fred"],
    ["{/half,who}", "/50%25/fred"],
    ["{/who,dub}", "/fred/me%2Ftoo"],
    ["{/var}", "/value"],
    ["{/var,empty}", "/value/"],
    ["{/var,undef}", "/value"],
    ["{/var,x}/here", "/value/1024/here"],
    ["{/var:1,var}", "/v/value"],
    ["{/list}", "/red,green,blue"],
    ["{/list*}", "/red/green/blue"],
    ["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
    ["{/keys}", "/semi,%3B,dot,.,comma,%2C"],
    ["{/keys*}", "/semi=%3B/dot=./comma=%2C"]
  ],
  "3.2.7 path parameters": [
    ["{;who}", ";who=fred"],
    ["{;half}", ";half=50%25"],
    ["{;empty}", ";empty"],
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;v,bar,who}", ";v=6;who=fred"],
    ["{;x,y}", ";x=1024;y=768"],
    ["{;x,y,empty}", ";x=1024;y=768;empty"],
    ["{;x,y,undef}", ";x=1024;y=768"],
    ["{;hello:5}", ";hello=Hello"],
    ["{;list}", ";list=red,green,blue"],
    ["{;list*}", ";list=red;list=green;list=blue"],
    ["{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"],
    ["{;keys*}", ";semi=%3B;dot=.;comma=%2C"]
  ],
  "3.2.8 queries": [
    ["{?who}", "?who=fred"],
    ["{?half}", "?half=50%25"],
    ["{?x,y}", "?x=1024&y=768"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?x,y,undef}", "?x=1024&y=768"],
    ["{?var:3}", "?var=val"],
    ["{?list}", "?list=red,green,blue"],
    ["{?list*}", "?list=red&list=green&list=blue"],
    ["{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"],
    ["{?keys*}", "?semi=%3B&dot=.&comma=%2C"]
  ],
  "3.2.9 query continuation": [
    ["{&who}", "&who=fred"],
    ["{&half}", "&half=50%25"],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{&x,y,undef}", "&x=1024&y=768"],
    ["{&var:3}", "&var=val"],
    ["{&list}", "&list=red,green,blue"],
    ["{&list*}", "&list=red&list=green&list=blue"],
    ["{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"],
    ["{&keys*}", "&semi=%3B&dot=.&comma=%2C"]
  ]
}

const expand = (template: string, values: Parameters<typeof UriTemplate.expand>[1] = variables): string =>
  UriTemplate.expand(UriTemplate.make(template), values)

describe("the examples of RFC 6570", () => {
  for (const [title, examples] of Object.entries(sections)) {
    it(title, () => {
      for (const [template, uri] of examples) expect([template, expand(template)]).toStrictEqual([template, uri])
    })
  }

  it("match what they made, wherever a variable is one text or a list taken apart", () => {
    const joined = /\{[^+#]?(?:count|list|keys)\}/
    // an empty value without a mark of an operator's is none, and a dot ends an item of a list
    const others = ["O{empty}X", "O{undef}X", "O{+empty}X", "O{+undef}X", "X{.keys*}"]
    for (const [template, uri] of Object.values(sections).flat()) {
      const matched = UriTemplate.match(UriTemplate.make(template), uri)
      const isOne = !joined.test(template) && !others.includes(template)
      expect([template, matched === undefined]).toStrictEqual([template, !isOne])
      if (matched !== undefined) expect(expand(template, matched)).toBe(uri)
    }
  })
})

describe("expanding", () => {
  it("takes numbers and truth values, and leaves out what is neither they nor text", () => {
    expect(expand("{a}/{b}/{c}", { a: 0, b: false, c: -1.5 })).toBe("0/false/-1.5")
    expect(expand("{?a*}", { a: [1, null, "x", undefined, true] })).toBe("?a=1&a=x&a=true")
    expect(expand("x{?a,b,c*,d*}", { a: null, b: undefined, c: [], d: { e: null } })).toBe("x")
  })

  it("looks at a value's own members only, and takes no name for special", () => {
    expect(expand("x{constructor}{__proto__}{toString}{?hasOwnProperty}", {})).toBe("x")
    expect(expand("x{y}", Object.create({ y: "inherited" }))).toBe("x")
    const values = JSON.parse(`{"__proto__":"a","constructor":"b"}`)
    expect(expand("{__proto__}{/constructor}", values)).toBe("a/b")
    expect(expand("{?m*}", { m: new Map([["__proto__", "c"]]) })).toBe("?__proto__=c")
  })

  it("keeps the order of a map", () => {
    const pairs = [
      ["2", "a"],
      ["1", "b"]
    ] as const
    expect(expand("{?m*}", { m: new Map(pairs) })).toBe("?2=a&1=b")
  })

  it("lets no value and no key out of its place", () => {
    expect(expand("{x}{/x}{?x}", { x: "/?#&=\r\n" })).toBe(
      "%2F%3F%23%26%3D%0D%0A/%2F%3F%23%26%3D%0D%0A?x=%2F%3F%23%26%3D%0D%0A"
    )
    expect(expand("{?m*}", { m: { "a&b=c": "d" } })).toBe("?a%26b%3Dc=d")
  })

  it("keeps the escapes of a reserved value, escapes a percent sign that starts none, and tears none apart", () => {
    expect(expand("{+x}", { x: "%41%zz%2F%" })).toBe("%41%25zz%2F%25")
    expect(expand("{+x:3}", { x: "a%C3%A9%2Fb" })).toBe("a%C3%A9%2F")
    expect(expand("{x:2}", { x: "🦜é!" })).toBe("%F0%9F%A6%9C%C3%A9")
  })

  it("escapes text beyond ASCII around its expressions, and replaces half a surrogate pair", () => {
    expect(expand("res://naïve/{x}", { x: "\ud800" })).toBe("res://na%C3%AFve/%EF%BF%BD")
  })
})

describe("a template that is none", () => {
  const refused: ReadonlyArray<readonly [template: string, reason: string, at: number]> = [
    ["{/id*", "Brace", 0],
    ["/id*}", "Brace", 4],
    ["a{}", "Brace", 2],
    ["{a{b}}", "Name", 2],
    ["{=path}", "Operator", 1],
    ["{!hello}", "Operator", 1],
    ["{|var*}", "Operator", 1],
    ["{@x}", "Operator", 1],
    ["{/?id}", "Name", 2],
    ["{??hello}", "Name", 2],
    ["{$var}", "Name", 1],
    ["{~thing}", "Name", 1],
    ["{user-id}", "Name", 5],
    ["{?x, y}", "Name", 4],
    ["{x,}", "Name", 3],
    ["{.}", "Name", 2],
    ["{a..b}", "Name", 2],
    ["{a%2}", "Name", 2],
    ["{é}", "Name", 1],
    ["{var:prefix}", "Modifier", 4],
    ["{var:0}", "Modifier", 4],
    ["{var:10000}", "Modifier", 4],
    ["{hello:2*}", "Modifier", 6],
    ["{x**}", "Modifier", 2],
    ["a b", "Literal", 1],
    ["a%2", "Literal", 1],
    ["res://\u0000", "Literal", 6],
    ["a\u0085", "Literal", 1],
    ['x"', "Literal", 1],
    ["\ud800{x}", "Literal", 0]
  ]
  for (const [template, reason, at] of refused) {
    it(`${JSON.stringify(template)} says ${reason} at ${at}`, () => {
      const read = UriTemplate.parse(template)
      expect(read).toBeInstanceOf(UriTemplate.MalformedTemplate)
      expect(read).toMatchObject({ _tag: "MalformedTemplate", reason, at })
      expect(() => UriTemplate.make(template)).toThrow(UriTemplate.MalformedTemplate)
    })
  }

  it("FEA-10 a name with a newline and a template over its limits are refused", () => {
    expect(UriTemplate.parse("res://{foo\n}")).toMatchObject({ reason: "Name" })
    expect(UriTemplate.parse("{a}".repeat(10_000))).toMatchObject({ reason: "TooLong" })
    expect(UriTemplate.parse("{a}".repeat(2_000))).toMatchObject({ reason: "TooManyVariables" })
    expect(UriTemplate.parse("{a,b}", { templateVariables: 1 })).toMatchObject({ reason: "TooManyVariables" })
    expect(UriTemplate.parse("abc", { templateLength: 2 })).toMatchObject({ reason: "TooLong", at: 2 })
    expect(UriTemplate.parse("abc", { templateLength: 3 })).not.toBeInstanceOf(UriTemplate.MalformedTemplate)
    expect(() => UriTemplate.parse("abc", { uriLength: 0 })).toThrow("uriLength")
  })

  it("names the place and not what stands there", () => {
    const read = UriTemplate.parse("{secret-token}")
    expect(read).toMatchObject({ message: expect.not.stringContaining("secret") })
  })
})

it("a template knows its variables, each once", () => {
  expect(UriTemplate.make("/{a}{?b,a*,c.d:3}").variables).toStrictEqual(["a", "b", "c.d"])
})
