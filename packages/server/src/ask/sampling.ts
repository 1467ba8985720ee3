import { type CreateMessageParams, Sampling } from "@effective-mcp/protocol"

/** Refuses params that no client may take: a mistake of the author's. */
export const requireParams = ({ maxTokens, messages }: CreateMessageParams): void => {
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) throw new Error(`maxTokens is not a count: ${maxTokens}`)
  const why = Sampling.faultOfMessages(messages)
  if (why !== undefined) throw new Error(`the messages cannot be sampled from: ${why}`)
}
