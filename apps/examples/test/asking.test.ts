import { Client as ClientV2, type VersionNegotiationMode } from "@modelcontextprotocol/client"
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio"
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js"
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema
} from "@modelcontextprotocol/sdk/types.js"
import { describe, expect, it } from "@effect/vitest"
import { fileURLToPath } from "node:url"
import { binary, options, runtime } from "../peers/runtimes.ts"
import { toAnswer } from "../peers/Peer.ts"

const main = fileURLToPath(new URL("../asking/main.ts", import.meta.url))
const program = { command: binary(runtime), args: [...options[runtime], main], stderr: "ignore" as const }
const capabilities = { elicitation: {}, sampling: {}, roots: {} }

/** What a person with a certain taste fills in. */
const fill = (message: string) =>
  message.startsWith("A table")
    ? { action: "accept" as const, content: { guests: 3, where: "outside" } }
    : { action: "accept" as const, content: { yes: message === "3 guests outside?" } }
const named = { role: "assistant" as const, content: { type: "text" as const, text: "A garden" }, model: "m" }
const roots = { roots: [{ uri: "file:///garden" }] }

const v1 = async () => {
  const client = new ClientV1({ name: "v1", version: "1" }, { capabilities })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => fill(params.message))
  client.setRequestHandler(CreateMessageRequestSchema, () => named)
  client.setRequestHandler(ListRootsRequestSchema, () => roots)
  await client.connect(new StdioV1(program))
  return client
}

const v2 = (mode?: VersionNegotiationMode) => async () => {
  const client = new ClientV2(
    { name: "v2", version: "1" },
    { capabilities, ...(mode === undefined ? {} : { versionNegotiation: { mode } }) }
  )
  client.setRequestHandler("elicitation/create", ({ params }) => fill(params.message))
  client.setRequestHandler("sampling/createMessage", () => named)
  client.setRequestHandler("roots/list", () => roots)
  await client.connect(new StdioV2(program))
  return client
}

describe("a server that asks is answered by", () => {
  const clients = {
    "the official v1 client": v1,
    "the official v2 client, by the handshake": v2(),
    "the official v2 client, in rounds": v2({ pin: "2026-07-28" })
  }
  for (const [name, connect] of Object.entries(clients)) {
    it(name, async () => {
      const client = await connect()
      try {
        expect(toAnswer(await client.callTool({ name: "book", arguments: {} }))).toMatchObject({
          isError: false,
          text: "Booked for 3 outside."
        })
        expect(toAnswer(await client.callTool({ name: "describe", arguments: {} }))).toMatchObject({
          isError: false,
          text: "A garden in file:///garden"
        })
      } finally {
        await client.close()
      }
    })
  }
})
