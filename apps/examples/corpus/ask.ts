import { detect, type Sent } from "@effective-mcp/detector"
import type { Answer } from "@effective-mcp/detector/test/Entry"
import { type ClientRequest, ClientResponse, type HttpClient } from "@effective-mcp/http/client"
import * as Effect from "effect/Effect"

/** How long is waited for a head, and for more of a body, in ms; and how much of a body is kept. */
const HEAD = 3_000
const MORE = 400
const MOST = 8 * 1024

/** What stands for an id in what is recorded. */
export const SESSION = "session"

export const sentOf = ({ body, method }: ClientRequest): Sent => {
  const said: unknown = typeof body === "string" ? JSON.parse(body) : undefined
  const rpc = typeof said === "object" && said !== null && "method" in said ? ` ${String(said.method)}` : ""
  return `${method}${rpc}` as Sent // cast: the detector sends nothing else
}

/** All that the detector may ask an address, in order: it is told as little as possible each time. */
export const questions = (url: string): Effect.Effect<ReadonlyArray<ClientRequest>> =>
  Effect.suspend(() => {
    const seen: Array<ClientRequest> = []
    const client: HttpClient = (request) =>
      Effect.sync(() => {
        seen.push(request)
        const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32600, message: "No" } })
        return ClientResponse.make({ status: 400, headers: { "mcp-session-id": SESSION }, body })
      })
    return Effect.as(Effect.ignore(detect(url, { client })), seen)
  })

const kept = ["allow", "content-type", "location", "mcp-session-id", "retry-after", "www-authenticate"]

/** What is the same each time: no port, no id, no date, no path of this machine. */
const normal = (text: string, ids: ReadonlyArray<string>): string =>
  ids
    .reduce((text, id) => text.replaceAll(id, SESSION), text)
    .replace(/(127\.0\.0\.1|localhost):\d+/g, "$1")
    .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, "00000000-0000-4000-8000-000000000000")
    .replace(/_\d{13}_\d{4}_\w+/g, "")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "2000-01-01T00:00:00.000Z")
    .replace(/(?:file:\/\/)?\/[\w./@+-]*\/node_modules\/[\w./@+-]*/g, "a-path")

/** Reads a body until it ends, says nothing for a while, or has been long enough. */
const read = async (response: Response): Promise<{ readonly text: string; readonly isOpen: boolean }> => {
  const reader = response.body?.getReader()
  if (reader === undefined) return { text: "", isOpen: false }
  const decoder = new TextDecoder()
  let text = ""
  for (;;) {
    const late = new Promise<"late">((resolve) => setTimeout(resolve, MORE, "late"))
    const part = await Promise.race([reader.read(), late])
    if (part === "late" || text.length > MOST) return { text: text.slice(0, MOST), isOpen: true }
    if (part.done) return { text, isOpen: false }
    text += decoder.decode(part.value, { stream: true })
  }
}

/** Sends one, and again to where a server sends it on its own origin, as every client here does by itself. */
const sent = async (request: ClientRequest, signal: AbortSignal): Promise<Response> => {
  const { body, headers, method, url } = request
  const init = { method, headers, redirect: "manual", signal } as const
  const response = await fetch(url, typeof body === "string" ? { ...init, body } : init)
  const to = new URL(response.headers.get("location") ?? url, url)
  const isHere = [307, 308].includes(response.status) && to.origin === new URL(url).origin && to.href !== url
  return isHere ? sent({ ...request, url: to.href }, signal) : response
}

/** Asks an address all of it, each by itself, and gives what it answered. */
export const answers = async (questions: ReadonlyArray<ClientRequest>): Promise<Record<string, Answer>> => {
  const found: Record<string, Answer> = {}
  const ids: Array<string> = []
  for (const question of questions) {
    const [id] = ids
    if (question.method === "DELETE" && id === undefined) continue
    const headers = id === undefined ? question.headers : { ...question.headers, "mcp-session-id": id }
    const asked = question.method === "DELETE" ? { ...question, headers } : question
    const ending = new AbortController()
    const timer = setTimeout(() => ending.abort(), HEAD)
    try {
      const response = await sent(asked, ending.signal)
      clearTimeout(timer)
      const session = response.headers.get("mcp-session-id")
      if (session !== null && !ids.includes(session)) ids.push(session)
      const { isOpen, text } = await read(response)
      const told = kept.flatMap((name) => {
        const value = response.headers.get(name)
        return value === null ? [] : [[name, normal(value, ids)] as const]
      })
      const answer = { status: response.status, headers: Object.fromEntries(told), body: normal(text, ids) }
      found[sentOf(question)] = isOpen ? { ...answer, isOpen } : answer
    } catch {
      found[sentOf(question)] = { fails: ending.signal.aborted ? "Silent" : "Closed" }
    }
    clearTimeout(timer)
    ending.abort()
  }
  return found
}
