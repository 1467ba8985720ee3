import type { CreateMessageParams, CreateMessageResult, SamplingContent, SamplingMessage } from "./model/sampling.ts"

const blocksOf = ({ content }: Pick<SamplingMessage, "content">): ReadonlyArray<SamplingContent> =>
  "type" in content ? [content] : content

const isSame = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): boolean =>
  a.length === b.length && new Set([...a, ...b]).size === a.length

/**
 * Why some messages are no conversation: tool results stand alone in the user's message right after the uses that they
 * answer, one for each. Undefined when they are one.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/sampling#message-content-constraints
 */
export const faultOfMessages = (messages: ReadonlyArray<SamplingMessage>): string | undefined => {
  let open: ReadonlyArray<string> = []
  for (const message of messages) {
    const blocks = blocksOf(message)
    const uses = blocks.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))
    const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block.toolUseId] : []))
    if (results.length > 0 && results.length < blocks.length) return "a message of tool results holds only results"
    if (!isSame(open, results)) return "tool uses and tool results do not match"
    if (results.length > 0 && message.role !== "user") return "tool results are the user's"
    if (uses.length > 0 && message.role !== "assistant") return "tool uses are the assistant's"
    open = uses
  }
  return open.length === 0 ? undefined : "tool uses and tool results do not match"
}

/** Why a result does not answer some params; undefined when it does. */
export const faultOfResult = (
  { toolChoice, tools = [] }: CreateMessageParams,
  result: CreateMessageResult
): string | undefined => {
  const offered = new Set(toolChoice?.mode === "none" ? [] : tools.map(({ name }) => name))
  const ids = new Set<string>()
  for (const block of blocksOf(result)) {
    if (block.type === "tool_result") return "it holds a tool result"
    if (block.type !== "tool_use") continue
    if (!offered.has(block.name)) return "it uses a tool that was not offered"
    if (ids.has(block.id)) return "two of its tool uses have one id"
    ids.add(block.id)
  }
  return ids.size > 0 && result.role !== "assistant" ? "its tool uses are not the assistant's" : undefined
}
