import { describe, it } from "@effect/vitest"
import { expectInvalid, type Holder, icons, type Kind, type Member, meta, string, SECRET, testKind } from "./members.ts"

const annotations: ReadonlyArray<Member> = [
  { at: ["annotations"], fits: [{}], unfit: [[SECRET], [[]], [null]] },
  {
    at: ["annotations", "audience"],
    fits: [["user", "assistant"], ["assistant"], []],
    unfit: [["user"], [["user", SECRET], [1]], [null]]
  },
  { at: ["annotations", "priority"], fits: [0, 1, 0.5], unfit: [[-0.01], [1.01], ["1"], [null]] },
  string(["annotations", "lastModified"])
]

const common = [...annotations, meta()]

const kindsOf = (holder: Holder): ReadonlyArray<Kind> => [
  {
    name: "text",
    holder,
    least: { type: "text", text: "" },
    members: [string(["text"], true), ...common]
  },
  ...["image", "audio"].map((type) => ({
    name: type,
    holder,
    least: { type, data: "", mimeType: "a/b" },
    members: [string(["data"], true), string(["mimeType"], true), ...common]
  })),
  {
    name: "a link to a resource",
    holder,
    least: { type: "resource_link", uri: "x:1", name: "one" },
    members: [
      string(["uri"], true),
      string(["name"], true),
      string(["title"]),
      string(["description"]),
      string(["mimeType"]),
      { at: ["size"], fits: [0, 2 ** 40], unfit: [[1.5], ["1"], [null]] },
      ...icons(),
      ...common
    ]
  },
  ...["text", "blob"].map((held) => ({
    name: `an embedded resource that is ${held}`,
    holder,
    least: { type: "resource", resource: { uri: "x:1", [held]: "" } },
    members: [
      string(["resource", "uri"], true),
      string(["resource", "mimeType"]),
      meta(["resource", "_meta"]),
      { ...string(["resource", held], true), named: ["resource"] },
      ...common
    ]
  }))
]

/** Tests every kind of content, as it stands in the result of a call. */
export const testContents = (decode: Holder["decode"]): void => {
  const holder: Holder = { decode, wrap: (block) => ({ content: [block] }), at: ["content", 0] }
  for (const kind of kindsOf(holder)) testKind(kind)

  describe("content", () => {
    it("is of a known kind", () => {
      const all = { text: "", data: "", mimeType: "a/b", uri: "x:1", name: "one", resource: { uri: "x:1", text: "" } }
      for (const type of [SECRET, 7, null, ["text"]]) {
        expectInvalid(
          decode,
          {
            content: [
              { type: "text", text: "" },
              { ...all, type }
            ]
          },
          ".content[1]",
          true
        )
      }
      expectInvalid(decode, { content: [all] }, ".content[0]", true)
      for (const block of [SECRET, null, [], {}]) expectInvalid(decode, { content: [block] }, ".content[0]", true)
    })
  })
}
