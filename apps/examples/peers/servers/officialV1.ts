/** The official SDK, version 1: `officialV1.ts stdio` or `officialV1.ts http`, each legacy, with sessions. */
import { randomUUID } from "node:crypto"
import { completable } from "@modelcontextprotocol/sdk/server/completable.js"
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js"
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import {
  ListResourcesRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  UrlElicitationRequiredError
} from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"
import { listen } from "./listen.ts"
import { makeCancelled, matching, offer, pageOf } from "./Offer.ts"

const { bytes, form, greeting, notes, page, template, tools } = offer
const cancelled = makeCancelled()
const said = (text: string) => ({ content: [{ type: "text" as const, text }] })

const addTools = (mcp: McpServer): void => {
  const { server } = mcp
  mcp.registerTool(tools.echo, { inputSchema: { text: z.string() } }, ({ text }) => said(text))
  mcp.registerTool(
    tools.add,
    { inputSchema: { a: z.number(), b: z.number() }, outputSchema: { sum: z.number() } },
    ({ a, b }) => ({ ...said(String(a + b)), structuredContent: { sum: a + b } })
  )
  mcp.registerTool(tools.fail, {}, () => {
    throw new Error(offer.failure)
  })
  mcp.registerTool(tools.count, { inputSchema: { count: z.number() } }, async ({ count }, extra) => {
    const progressToken = extra._meta?.progressToken ?? "none"
    for (let progress = 1; progress <= count; progress++) {
      const params = { progressToken, progress, total: count, message: `step ${progress}` }
      await extra.sendNotification({ method: "notifications/progress", params })
    }
    return said(`counted to ${count}`)
  })
  mcp.registerTool(tools.wait, { inputSchema: { key: z.string() } }, async ({ key }, extra) => {
    const progressToken = extra._meta?.progressToken ?? "none"
    await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } })
    await new Promise((resolve) => extra.signal.addEventListener("abort", resolve))
    cancelled.tell(key)
    return said("cancelled")
  })
  mcp.registerTool(tools.stopped, { inputSchema: { key: z.string() } }, async ({ key }) => {
    await cancelled.heard(key)
    return said("it was cancelled")
  })
  mcp.registerTool(tools.log, { inputSchema: { text: z.string() } }, async ({ text }, { sessionId }) => {
    await mcp.sendLoggingMessage({ level: "debug", data: text }, sessionId)
    await mcp.sendLoggingMessage({ level: "notice", logger: "peer", data: text }, sessionId)
    return said("logged")
  })
  mcp.registerTool(tools.grow, { inputSchema: { name: z.string() } }, ({ name }) => {
    mcp.registerTool(name, {}, () => said(name))
    return said("grown")
  })
  mcp.registerTool(tools.touch, {}, async () => {
    await server.sendResourceUpdated({ uri: notes[0]!.uri })
    return said("touched")
  })
}

const addQuestions = (mcp: McpServer): void => {
  const { server } = mcp
  mcp.registerTool(tools.form, {}, async (extra) => {
    const { action, content } = await server.elicitInput(
      {
        message: form.message,
        requestedSchema: { type: "object", properties: { [form.field]: { type: "string" } }, required: [form.field] }
      },
      { relatedRequestId: extra.requestId }
    )
    return said(`${action} ${String(content?.[form.field])}`)
  })
  mcp.registerTool(tools.page, {}, async (extra) => {
    const { action } = await server.elicitInput(
      { mode: "url", message: page.message, url: page.url, elicitationId: page.id },
      { relatedRequestId: extra.requestId }
    )
    await server.createElicitationCompletionNotifier(page.id, { relatedRequestId: extra.requestId })()
    return said(action)
  })
  mcp.registerTool(tools.signIn, {}, () => {
    throw new UrlElicitationRequiredError([
      { mode: "url", message: page.message, url: page.url, elicitationId: page.id }
    ])
  })
  mcp.registerTool(tools.model, {}, async (extra) => {
    const { content } = await server.createMessage(
      { messages: [{ role: "user", content: { type: "text", text: offer.prompt } }], maxTokens: 7 },
      { relatedRequestId: extra.requestId }
    )
    return said(content.type === "text" ? content.text : content.type)
  })
  mcp.registerTool(tools.where, {}, async (extra) => {
    const { roots } = await server.listRoots(undefined, { relatedRequestId: extra.requestId })
    return said(roots.map(({ uri }) => uri).join(" "))
  })
}

const addRest = (mcp: McpServer): void => {
  for (const { name, text, uri } of notes) {
    mcp.registerResource(name, uri, { mimeType: "text/plain" }, () => ({ contents: [{ uri, text }] }))
  }
  mcp.registerResource(bytes.name, bytes.uri, {}, () => ({ contents: [{ uri: bytes.uri, blob: bytes.blob }] }))
  mcp.registerResource(
    template.name,
    new ResourceTemplate(template.uri, { list: undefined, complete: { id: (typed) => matching(template.ids, typed) } }),
    {},
    (uri, { id }) => ({ contents: [{ uri: uri.href, text: template.text(String(id)) }] })
  )
  const { server } = mcp
  // the SDK's own list has no pages
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) => {
    const { items, nextCursor } = pageOf([...notes, bytes], params?.cursor)
    return { resources: items.map(({ name, uri }) => ({ name, uri })), ...(nextCursor && { nextCursor }) }
  })
  server.setRequestHandler(SubscribeRequestSchema, () => ({}))
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}))
  mcp.registerPrompt(
    greeting.name,
    { argsSchema: { name: completable(z.string(), (typed) => matching(greeting.names, typed)) } },
    ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: greeting.text(name) } }] })
  )
}

const build = (): McpServer => {
  const mcp = new McpServer(offer.info, {
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } },
    instructions: offer.instructions
  })
  addTools(mcp)
  addQuestions(mcp)
  addRest(mcp)
  return mcp
}

if (process.argv[2] === "stdio") await build().connect(new StdioServerTransport())
else if (process.argv[2] === "sse") {
  const streams = new Map<string, SSEServerTransport>()
  listen(async (req, res) => {
    if (req.method === "POST") {
      const id = new URL(req.url ?? "", "http://localhost").searchParams.get("sessionId") ?? ""
      const stream = streams.get(id)
      return stream === undefined ? void res.writeHead(404).end() : await stream.handlePostMessage(req, res)
    }
    const stream = new SSEServerTransport("/messages", res)
    streams.set(stream.sessionId, stream)
    res.on("close", () => void streams.delete(stream.sessionId))
    await build().connect(stream)
  })
} else {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  const open = async (): Promise<StreamableHTTPServerTransport> => {
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id)
    })
    const mcp = build()
    // cast: the official types and ours disagree on what an optional member may be
    await mcp.connect(transport as Parameters<typeof mcp.connect>[0])
    return transport
  }
  listen(async (req, res) => {
    const id = req.headers["mcp-session-id"]
    const known = typeof id === "string" ? sessions.get(id) : undefined
    if (id !== undefined && known === undefined) return void res.writeHead(404).end()
    await (known ?? (await open())).handleRequest(req, res)
  })
}
