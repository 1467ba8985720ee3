import { describe, expect, it } from "@effect/vitest"
import { read } from "../src/stdioUrl.ts"

const good: ReadonlyArray<readonly [string, ReturnType<typeof read>]> = [
  ["stdio://npx?arg=-y&arg=@scope/server", { command: "npx", args: ["-y", "@scope/server"] }],
  ["stdio:///usr/bin/node?arg=server.js&arg=a%20b", { command: "/usr/bin/node", args: ["server.js", "a b"] }],
  ["stdio:///opt/my%20server", { command: "/opt/my server", args: [] }],
  ["stdio:///C:/tools/a.exe", { command: "C:/tools/a.exe", args: [] }],
  ["STDIO://Npx/", { command: "Npx", args: [] }],
  ["stdio://a?arg=1+1%3D2&arg=&arg=x=y", { command: "a", args: ["1+1=2", "", "x=y"] }],
  ["stdio://a?cwd=%2Ftmp&arg=b", { command: "a", args: ["b"], cwd: "/tmp" }]
]
const refused = [
  ["stdio:a", /followed by/],
  ["stdio://", /names one program/],
  ["stdio:///", /names one program/],
  ["stdio://a/b", /names one program/],
  ["stdio://user:s3cr3t@a", /no user/],
  ["stdio://a:80", /no user, password or port/],
  ["stdio://a#b", /followed by/],
  ["stdio://a?env=s3cr3t", /arg and cwd alone/],
  ["stdio://a?__proto__=x", /arg and cwd alone/],
  ["stdio://a?arg=%zz", /percent-encoded/],
  ["stdio://a?arg=%00", /percent-encoded/],
  ["stdio:///%E0%A4%A", /names one program/]
] as const

describe("a stdio: URL", () => {
  for (const [url, program] of good) {
    it(`${url} names a program`, () => {
      expect(read(url)).toEqual(program)
    })
  }
  for (const [url, why] of refused) {
    it(`${url} names none`, () => {
      expect(read(url)).toMatch(why)
      expect(read(url)).not.toContain("s3cr3t")
    })
  }
})
