/**
 * The official SDK, version 2: `officialV2.ts stdio`, `officialV2.ts http`, or `officialV2.ts stateless`, which is HTTP as
 * that SDK does it by itself. Both eras; over `http` a legacy client has a session.
 */
import { getRequestListener } from "@hono/node-server"
import {
  acceptedContent,
  completable,
  createMcpHandler,
  inputRequired,
  inputResponse,
  isLegacyRequest,
  McpServer,
  ResourceTemplate,
  UrlElicitationRequiredError,
  WebStandardStreamableHTTPServerTransport
} from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"
import { listen } from "./listen.ts"
import { makeCancelled, matching, offer, pageOf } from "./Offer.ts"

const { bytes, form, greeting, notes, page, template, tools } = offer
const cancelled = makeCancelled()
const said = (text: string) => ({ content: [{ type: "text" as const, text }] })

/** Tools that were added to one server stay in those that are made for later requests. */
const grown = new Set<string>()
/** A server that is made for one request has nobody else to tell; the handler of all requests has. */
let tell: { readonly toolsChanged: () => void; readonly resourceUpdated: (uri: string) => void } | undefined

const addTools = (mcp: McpServer): void => {
  const Key = z.object({ key: z.string() })
  mcp.registerTool(tools.echo, { inputSchema: z.object({ text: z.string() }) }, ({ text }) => said(text))
  mcp.registerTool(
    tools.add,
    { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) },
    ({ a, b }) => ({ ...said(String(a + b)), structuredContent: { sum: a + b } })
  )
  mcp.registerTool(tools.fail, {}, () => {
    throw new Error(offer.failure)
  })
  mcp.registerTool(tools.count, { inputSchema: z.object({ count: z.number() }) }, async ({ count }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (let progress = 1; progress <= count; progress++) {
      const params = { progressToken, progress, total: count, message: `step ${progress}` }
      await mcpReq.notify({ method: "notifications/progress", params })
    }
    return said(`counted to ${count}`)
  })
  mcp.registerTool(tools.wait, { inputSchema: Key }, async ({ key }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } })
    await new Promise((resolve) => mcpReq.signal.addEventListener("abort", resolve))
    cancelled.tell(key)
    return said("cancelled")
  })
  mcp.registerTool(tools.stopped, { inputSchema: Key }, async ({ key }) => {
    await cancelled.heard(key)
    return said("it was cancelled")
  })
  mcp.registerTool(tools.log, { inputSchema: z.object({ text: z.string() }) }, async ({ text }, { mcpReq }) => {
    await mcpReq.log("debug", text)
    await mcpReq.log("notice", text, "peer")
    return said("logged")
  })
  const addOne = (name: string): void => void mcp.registerTool(name, {}, () => said(name))
  mcp.registerTool(tools.grow, { inputSchema: z.object({ name: z.string() }) }, ({ name }) => {
    grown.add(name)
    addOne(name)
    tell?.toolsChanged()
    return said("grown")
  })
  mcp.registerTool(tools.touch, {}, async () => {
    const { uri } = notes[0]!
    await mcp.server.sendResourceUpdated({ uri })
    tell?.resourceUpdated(uri)
    return said("touched")
  })
  for (const name of grown) addOne(name)
}

const Form = z.object({ [form.field]: z.string() })

const addQuestions = (mcp: McpServer): void => {
  mcp.registerTool(tools.form, {}, ({ mcpReq: { inputResponses } }) => {
    const answer = inputResponse(inputResponses, "form")
    if (answer.kind !== "elicit") {
      const asked = inputRequired.elicit({ message: form.message, requestedSchema: Form })
      return inputRequired({ inputRequests: { form: asked }, requestState: "asked" })
    }
    return said(`${answer.action} ${String(acceptedContent(inputResponses, "form", Form)?.[form.field])}`)
  })
  mcp.registerTool(tools.page, {}, ({ mcpReq: { inputResponses } }) => {
    const answer = inputResponse(inputResponses, "page")
    if (answer.kind === "elicit") return said(answer.action)
    const { message, url } = page
    return inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message, url }) } })
  })
  mcp.registerTool(tools.signIn, {}, () => {
    throw new UrlElicitationRequiredError([
      { mode: "url", message: page.message, url: page.url, elicitationId: page.id }
    ])
  })
  mcp.registerTool(tools.model, {}, ({ mcpReq: { inputResponses } }) => {
    const answer = inputResponse(inputResponses, "model")
    if (answer.kind !== "sampling") {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: offer.prompt } }]
      return inputRequired({ inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 7 }) } })
    }
    const { content } = answer.result
    return said(!Array.isArray(content) && content.type === "text" ? content.text : "something else")
  })
  mcp.registerTool(tools.where, {}, ({ mcpReq: { inputResponses } }) => {
    const answer = inputResponse(inputResponses, "roots")
    if (answer.kind !== "roots") return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } })
    return said(answer.roots.map(({ uri }) => uri).join(" "))
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
  server.setRequestHandler("resources/list", ({ params }) => {
    const { items, nextCursor } = pageOf([...notes, bytes], params?.cursor)
    return { resources: items.map(({ name, uri }) => ({ name, uri })), ...(nextCursor && { nextCursor }) }
  })
  server.setRequestHandler("resources/subscribe", () => ({}))
  server.setRequestHandler("resources/unsubscribe", () => ({}))
  mcp.registerPrompt(
    greeting.name,
    { argsSchema: z.object({ name: completable(z.string(), (typed) => matching(greeting.names, typed)) }) },
    ({ name }) => ({ messages: [{ role: "user", content: { type: "text", text: greeting.text(name) } }] })
  )
}

const build = (): McpServer => {
  const mcp = new McpServer(offer.info, {
    capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } },
    instructions: offer.instructions,
    cacheHints: { "tools/list": { ttlMs: 60_000 } }
  })
  addTools(mcp)
  addQuestions(mcp)
  addRest(mcp)
  return mcp
}

/** Legacy clients with a session each, which that SDK leaves to who uses it. */
const makeSessions = () => {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id)
    })
    await build().connect(transport)
    return transport
  }
  return async (request: Request): Promise<Response> => {
    const id = request.headers.get("mcp-session-id")
    const known = id === null ? undefined : sessions.get(id)
    if (id !== null && known === undefined) return new Response(null, { status: 404 })
    return (known ?? (await open())).handleRequest(request)
  }
}

const [wire] = process.argv.slice(2)
if (wire === "stdio") serveStdio(build)
else {
  const handler = createMcpHandler(build)
  tell = handler.notify
  const withSession = makeSessions()
  const answer = async (request: Request): Promise<Response> =>
    wire === "http" && (await isLegacyRequest(request)) ? withSession(request) : handler.fetch(request)
  listen(getRequestListener(answer))
}
