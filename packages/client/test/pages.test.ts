import { EndlessList, NotOffered, Tools } from "@effective-mcp/client"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Act, connect, discovered, error, inTurn, modern, result, scripted } from "./scripted.ts"

const tool = (name: string) => ({ name, inputSchema: { type: "object" } })

/** One page with one tool. */
const page = (name: string, nextCursor?: string): Act =>
  result({ tools: [tool(name)], ...(nextCursor === undefined ? undefined : { nextCursor }) })

const pages = (...acts: readonly [Act, ...Array<Act>]) => scripted(modern({ "tools/list": inTurn(...acts) }))

/** All that a list delivers, and how it ends. */
const read = Effect.fnUntraced(function* (server: ReturnType<typeof pages>, options?: { readonly maxPages?: number }) {
  const client = yield* connect(server)
  const names: Array<string> = []
  const end = yield* Tools.all(client, options).pipe(
    Stream.runForEach(({ name }) => Effect.sync(() => names.push(name))),
    Effect.match({ onFailure: (failure) => failure, onSuccess: () => "ended" as const })
  )
  const cursors = server.run.requests.slice(1).map(({ params }) => params?.cursor)
  return { names, end, cursors }
})

describe("a whole list", () => {
  it.effect("is read page after page, up to the one without a cursor", () =>
    Effect.gen(function* () {
      const { cursors, end, names } = yield* read(pages(page("a", "1"), page("b", "2"), page("c")))
      expect(names).toEqual(["a", "b", "c"])
      expect(end).toBe("ended")
      expect(cursors).toEqual([undefined, "1", "2"])
    })
  )
  it.effect("C-29 an empty cursor continues as any other", () =>
    Effect.gen(function* () {
      const { cursors, end, names } = yield* read(pages(page("a", ""), page("b")))
      expect(names).toEqual(["a", "b"])
      expect(end).toBe("ended")
      expect(cursors).toEqual([undefined, ""])
    })
  )
  it.effect("cursors are sent back as they came", () =>
    Effect.gen(function* () {
      const cursor = ' "%00\u2028=/?&é\u{1f600}\\'
      expect((yield* read(pages(page("a", cursor), page("b")))).cursors).toEqual([undefined, cursor])
    })
  )
  it.effect("may have empty pages in between", () =>
    Effect.gen(function* () {
      const empty = result({ tools: [], nextCursor: "2" })
      const { end, names } = yield* read(pages(page("a", "1"), empty, page("b")))
      expect(names).toEqual(["a", "b"])
      expect(end).toBe("ended")
    })
  )
  it.effect("C-29 R-181 a cursor that comes back ends it with an error, after all that was read", () =>
    Effect.gen(function* () {
      const { cursors, end, names } = yield* read(pages(page("a", "1"), page("b", "2"), page("c", "1"), page("d")))
      expect(names).toEqual(["a", "b", "c"])
      expect(end).toBeInstanceOf(EndlessList)
      expect(end).toMatchObject({ method: "tools/list", reason: "RepeatedCursor", pages: 3 })
      expect(cursors).toEqual([undefined, "1", "2"])
    })
  )
  it.effect("C-29 a server that always gives the same cursor is asked twice", () =>
    Effect.gen(function* () {
      const { end, names } = yield* read(pages(page("a", "again")))
      expect(names).toEqual(["a", "a"])
      expect(end).toMatchObject({ reason: "RepeatedCursor", pages: 2 })
    })
  )
  it.effect("C-29 more pages than allowed end it with an error, after all that was read", () =>
    Effect.gen(function* () {
      let n = 0
      const endless: Act = (request, run) => page(`tool${n}`, `${++n}`)(request, run)
      const { cursors, end, names } = yield* read(pages(endless), { maxPages: 3 })
      expect(names).toEqual(["tool0", "tool1", "tool2"])
      expect(end).toMatchObject({ _tag: "EndlessList", reason: "TooManyPages", pages: 3 })
      expect(cursors.length).toBe(3)
    })
  )
  it.effect("C-29 as many pages as allowed are a whole list", () =>
    Effect.gen(function* () {
      const { end, names } = yield* read(pages(page("a", "1"), page("b")), { maxPages: 2 })
      expect(names).toEqual(["a", "b"])
      expect(end).toBe("ended")
    })
  )
  it.effect("C-29 R-181 at most 1,000 pages are read", () =>
    Effect.gen(function* () {
      let n = 0
      const endless: Act = (request, run) => result({ tools: [], nextCursor: `${++n}` })(request, run)
      const { cursors, end } = yield* read(pages(endless))
      expect(end).toMatchObject({ reason: "TooManyPages", pages: 1000 })
      expect(cursors.length).toBe(1000)
    })
  )
  it.effect("is asked for only as far as it is taken", () =>
    Effect.gen(function* () {
      const server = pages(page("a", "1"), page("b", "2"), page("c"))
      const client = yield* connect(server)
      const first = yield* Stream.runCollect(Stream.take(Tools.all(client), 1))
      expect(first.map(({ name }) => name)).toEqual(["a"])
      expect(server.run.requests.length).toBe(2)
    })
  )
  it.effect("is read anew each time", () =>
    Effect.gen(function* () {
      const server = pages(page("a", "1"), page("b"), page("a", "1"), page("b"))
      const all = Tools.all(yield* connect(server))
      for (const _ of [1, 2]) expect((yield* Stream.runCollect(all)).length).toBe(2)
    })
  )
  it.effect("R-131 is read anew, once, when a cursor is refused, and gives nothing twice", () =>
    Effect.gen(function* () {
      const refused = error(-32602)
      const both = result({ tools: [tool("new"), tool("a")], nextCursor: "3" })
      const mended = yield* read(pages(page("a", "1"), page("b", "2"), refused, both, page("b", "4"), page("c")))
      expect(mended).toEqual({
        names: ["a", "b", "new", "c"],
        end: "ended",
        cursors: [undefined, "1", "2", undefined, "3", "4"]
      })
      const again = yield* read(pages(page("a", "1"), refused, page("a", "1"), refused))
      expect(again).toMatchObject({ names: ["a"], end: { code: -32602 }, cursors: [undefined, "1", undefined, "1"] })
    })
  )
  it.effect("ends with the error of a page, after the pages before it", () =>
    Effect.gen(function* () {
      const { end, names } = yield* read(pages(page("a", "1"), error(-32602)))
      expect(names).toEqual(["a"])
      expect(end).toMatchObject({ _tag: "RpcError", code: -32602 })
    })
  )
  it.effect("is not asked for where there are no tools", () =>
    Effect.gen(function* () {
      const server = scripted(modern({ "server/discover": discovered({ capabilities: {} }) }))
      const failure = yield* Effect.flip(Stream.runCollect(Tools.all(yield* connect(server))))
      expect(failure).toBeInstanceOf(NotOffered)
      expect(server.run.requests.length).toBe(1)
    })
  )
})

describe("a bound of pages", () => {
  for (const maxPages of [0, -1, 1.5, NaN, Infinity]) {
    it.effect(`C-29 of ${maxPages} is a mistake of the caller, found at once`, () =>
      Effect.gen(function* () {
        const client = yield* connect(pages(page("a")))
        expect(() => Tools.all(client, { maxPages })).toThrow("maxPages")
      })
    )
  }
})
