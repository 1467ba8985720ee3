import { limits } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { split } from "../src/commandLine.ts"

const lines: ReadonlyArray<readonly [line: string, words: ReadonlyArray<string>]> = [
  ["npx -y @scope/server", ["npx", "-y", "@scope/server"]],
  ["  a\t b  ", ["a", "b"]],
  ["server --flag 'two words' --other \"two words\"", ["server", "--flag", "two words", "--other", "two words"]],
  ["a 'it'\\''s' b", ["a", "it's", "b"]],
  ['a --x="y z" w', ["a", "--x=y z", "w"]],
  ["a '' \"\"", ["a", "", ""]],
  ['a "say \\"hi\\" \\\\ \\$HOME"', ["a", 'say "hi" \\ $HOME']],
  ["a '$(rm -rf /) | & ; < > `'", ["a", "$(rm -rf /) | & ; < > `"]],
  ['a "| & ; < > ( )"', ["a", "| & ; < > ( )"]],
  ["C:\\tools\\server.exe --dir C:\\new", ["C:\\tools\\server.exe", "--dir", "C:\\new"]],
  ["a two\\ words \\$5 \\|", ["a", "two words", "$5", "|"]],
  ["a *.txt {b,c} ? # x=y", ["a", "*.txt", "{b,c}", "?", "#", "x=y"]],
  ["a b~c ~user", ["a", "b~c", "~user"]],
  ["/path/to/'my server'/run", ["/path/to/my server/run"]],
  ["déjà 世界 🌍", ["déjà", "世界", "🌍"]],
  ["a __proto__ constructor", ["a", "__proto__", "constructor"]]
]

const faults: ReadonlyArray<readonly [line: string, detail: RegExp, at: number]> = [
  ["a 'open", /a quote ' that is never closed/, 2],
  ['a "open \\"', /a quote " that is never closed/, 2],
  ["a | b", /\| outside quotes/, 2],
  ["a && b", /& outside quotes/, 2],
  ["a; b", /; outside quotes/, 1],
  ["a > f", /> outside quotes/, 2],
  ["a < f", /< outside quotes/, 2],
  ["a $(b)", /\$ outside quotes/, 2],
  ["a $HOME", /\$ outside quotes/, 2],
  ['a "$HOME"', /\$ in double quotes/, 3],
  ['a "`b`"', /` in double quotes/, 3],
  ["a `b`", /` outside quotes/, 2],
  ["(a)", /\( outside quotes/, 0],
  ["a https://x/?a=1&b=2", /& outside quotes/, 16],
  ["a\nb", /a line break outside quotes/, 1],
  ["~/bin/a", /~ is not expanded/, 0],
  ["a ~/b", /~ is not expanded/, 2],
  ["KEY=s3cr3t a", /a variable that is set ahead/, 0],
  ["a b\0c", /a NUL character/, 3],
  ["a 'b\0c'", /a NUL character/, 4],
  ["'' a", /without a program/, 0],
  [" \t ", /without a program/, 0]
]

describe("a command line", () => {
  for (const [line, words] of lines) {
    it(`R-013 ${JSON.stringify(line)} is ${JSON.stringify(words)}`, () => {
      expect(split(line)).toEqual(words)
    })
  }
  for (const [line, detail, at] of faults) {
    it(`R-013 ${JSON.stringify(line)} is refused: ${detail.source}`, () => {
      expect(split(line)).toEqual({ detail: expect.stringMatching(detail), at })
      expect(JSON.stringify(split(line))).not.toContain("s3cr3t")
    })
  }
  it("has a bound, up to which it takes no more than its length", () => {
    expect(split("a".repeat(limits.commandLineLength + 1))).toHaveProperty("detail")
    for (const part of ["a ", "'a' ", '"a" ', "\\ ", "\\"]) {
      const line = `a ${part.repeat(Math.floor((limits.commandLineLength - 2) / part.length))}`
      const begun = performance.now()
      expect(split(line)).toBeInstanceOf(Array)
      expect(performance.now() - begun).toBeLessThan(500)
    }
  })
  it("gives back any words that are quoted, whatever is in them", () => {
    const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`
    const word = fc.string({ unit: "binary", maxLength: 20 }).map((text) => text.replaceAll("\0", ""))
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        expect(split(["program", ...words.map(quote)].join(" "))).toEqual(["program", ...words])
      })
    )
  })
  it("is split, or refused with a place in it, whatever it is", () => {
    const shelly = fc.constantFrom(..."ab '\"\\$~|&;<>()`\n\t=", "🌍")
    fc.assert(
      fc.property(fc.string({ unit: shelly, maxLength: 40 }), (line) => {
        const read = split(line)
        if ("detail" in read) expect(read.at >= 0 && read.at <= line.length).toBe(true)
        else expect(read[0]).not.toBe("")
      })
    )
  })
})
