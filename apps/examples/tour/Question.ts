import type { JsonRpc } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import type { Answer, Remote } from "../peers/Peer.ts"

/** Something that a server is asked: how that is shown, and what of the answer; a wrong answer is a failure. */
export interface Question {
  readonly asked: string
  readonly of: (remote: Remote) => Effect.Effect<string, unknown>
}

/** Asks which tools there are; `expected` must be among them. */
export const lists = (...expected: ReadonlyArray<string>): Question => ({
  asked: "tools/list",
  of: ({ tools }) =>
    Effect.flatMap(tools, (names) =>
      expected.every((name) => names.includes(name))
        ? Effect.succeed(`${names.length} tools: ${names.join(", ")}`)
        : Effect.fail(new Error(`${expected.join(", ")} should be among ${names.join(", ")}`))
    )
})

/** Calls a tool; `shown` gives the part of its answer to show, or undefined when the answer is wrong. */
export const calls = (
  tool: string,
  args: JsonRpc.JsonObject,
  shown: (answer: Answer) => string | undefined
): Question => ({
  asked: `${tool}(${Object.values(args)
    .map((value) => JSON.stringify(value))
    .join(", ")})`,
  of: (remote) =>
    Effect.flatMap(remote.call(tool, args), (answer) => {
      const part = shown(answer)
      return part === undefined ? Effect.fail(new Error(`not as expected: ${answer.text}`)) : Effect.succeed(part)
    })
})

/** Asks all of them in turn, and shows the answer to the first. */
export const together = (first: Question, ...others: ReadonlyArray<Question>): Question => ({
  asked: [first, ...others].map(({ asked }) => asked).join(", "),
  of: (remote) => Effect.tap(first.of(remote), () => Effect.forEach(others, ({ of }) => of(remote)))
})
