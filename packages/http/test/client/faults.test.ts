import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer, Socket } from "node:net"
import { inspect } from "node:util"
import { make as makeFetch } from "@effective-mcp/http/client/fetch"
import { make as makeNode } from "@effective-mcp/http/client/node"
import { make as makePlatform } from "@effective-mcp/http/client/platform"
import type { TransportError } from "@effective-mcp/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { HttpClient } from "../../src/client/index.ts"

const GOOD = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"

/** A server of raw sockets that hears whole requests: their paths, and where they came from. */
const served = (answer: (path: string, socket: Socket) => void) =>
  Effect.gen(function* () {
    const paths: Array<string> = []
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      let text = ""
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => void sockets.delete(socket))
      socket.on("data", (part) => {
        text += part.toString("latin1")
        const head = text.indexOf("\r\n\r\n")
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
        const isWhole = /chunked/i.test(text) ? text.endsWith("0\r\n\r\n") : text.length >= head + 4 + length
        if (head < 0 || !isWhole) return
        const path = text.split(" ", 2)[1] ?? ""
        text = ""
        paths.push(path)
        answer(path, socket)
      })
    })
    const stop = () => void server.close()
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          for (const socket of sockets) socket.destroy()
          stop()
        })
    )
    const address = server.address()
    const origin = `127.0.0.1:${address === null || typeof address === "string" ? 0 : address.port}`
    return { origin, url: `http://${origin}`, paths, stop }
  })

const post = (client: HttpClient, url: string, body?: string | Uint8Array) =>
  Effect.scoped(
    Effect.flatMap(
      client({
        method: "POST",
        url,
        headers: { "content-type": "text/plain" },
        ...(body === undefined ? {} : { body })
      }),
      ({ whole }) => whole(100)
    )
  )

const failing = (client: HttpClient, url: string, body?: string | Uint8Array) =>
  Effect.map(Effect.flip(post(client, url, body)), ({ outcome, reason }: TransportError) => [reason._tag, outcome])

/** All texts of a value, however deep, those that are not listed among them. */
const told = (value: unknown, depth = 0): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null || depth > 6) return []
  return Reflect.ownKeys(value).flatMap((key) => told(Reflect.get(value, key), depth + 1))
}

const bodies = [undefined, "", "x".repeat(500), new Uint8Array(500)]
const ends: Record<string, (socket: Socket) => void> = {
  resets: (socket) => socket.resetAndDestroy(),
  "hangs up": (socket) => socket.destroy(),
  "breaks off within the head": (socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-le"),
  "says no HTTP": (socket) => void socket.end("garbage\r\n\r\n")
}

for (const [name, make] of Object.entries({ fetch: makeFetch, node: makeNode, platform: makePlatform })) {
  describe(`the HTTP client of ${name}, where the wire breaks`, () => {
    for (const [how, end] of Object.entries(ends)) {
      it.live(`sends a POST once to a server that reads it and ${how}, on connections new and used`, () =>
        Effect.gen(function* () {
          const { paths, url } = yield* served((path, socket) => (path === "/good" ? socket.write(GOOD) : end(socket)))
          for (const isUsed of [false, true]) {
            for (const body of bodies) {
              const client = yield* make()
              if (isUsed) yield* post(client, `${url}/good`, body)
              paths.length = 0
              // a URL says nothing of what has happened
              const path = "/unknownissuer/connection-refused/dns-error"
              expect(yield* failing(client, url + path, body)).toEqual(["Closed", "Unknown"])
              expect(paths).toEqual([path])
            }
          }
        })
      )
    }

    it.live("repeats no query and no value of a header in what it fails with", () =>
      Effect.gen(function* () {
        const { url } = yield* served((path, socket) => {
          if (path.startsWith("/half")) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx")
          else socket.destroy()
        })
        const client = yield* make()
        const gone = yield* served(() => {})
        gone.stop()
        const head = { method: "POST", headers: {}, body: "x" }
        for (const request of [
          { ...head, url: `${url}/cut?key=s3cr3t` },
          { ...head, url: `${url}/half?key=s3cr3t` },
          { ...head, url: `${gone.url}/?key=s3cr3t` },
          { ...head, url, headers: { authorization: "a\r\ns3cr3t" } },
          { ...head, url, headers: { authorization: "s3cr3t \u2028" } }
        ]) {
          const error = yield* Effect.flip(Effect.scoped(Effect.flatMap(client(request), ({ whole }) => whole(100))))
          expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain("s3cr3t")
        }
      })
    )

    it.live("knows that nothing was sent where nobody listens, and never once a server has redirected", () =>
      Effect.gen(function* () {
        const gone = yield* served(() => {})
        gone.stop()
        const client = yield* make()
        expect(yield* failing(client, gone.url, "x")).toEqual(["Unreachable", "NotSent"])
        expect(yield* failing(client, `https://${gone.origin}`, "x")).toEqual(["Unreachable", "NotSent"])
        const moving = yield* served((path, socket) => {
          if (path === "/unknownissuer") return void socket.destroy()
          if (path === "/gone") moving.stop()
          const to = path === "/gone" ? "/nowhere" : "/unknownissuer"
          socket.end(`HTTP/1.1 307 X\r\nlocation: ${to}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
        })
        expect(yield* failing(client, `${moving.url}/cut`, "x")).toEqual(["Closed", "Unknown"])
        expect(moving.paths).toEqual(["/cut", "/unknownissuer"])
        expect(yield* failing(client, `${moving.url}/gone`, "x")).toEqual(["Unreachable", "Unknown"])
      })
    )
  })
}

for (const [name, make] of Object.entries({ fetch: makeFetch, node: makeNode, platform: makePlatform })) {
  it.live(`no failure of ${name} repeats the query of an address, in whatever the runtime says of it`, () =>
    Effect.gen(function* () {
      const gone = yield* served(() => {})
      gone.stop()
      const { url } = yield* served((path, socket) => {
        if (path.startsWith("/cut")) return void socket.destroy()
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf")
      })
      const client = yield* make()
      for (const at of [`${gone.url}/`, `${url}/cut`, `${url}/half`]) {
        const error = yield* Effect.flip(post(client, `${at}?key=s3cr3t&b=2`, "x"))
        expect(error._tag).toBe("TransportError")
        expect(told(error).join("\n")).not.toContain("s3cr3t")
      }
    })
  )
}

describe("many requests that do not end", () => {
  it.live("keep no other from being answered", () =>
    Effect.gen(function* () {
      const { paths, url } = yield* served((path, socket) => void (path === "/good" && socket.write(GOOD)))
      const client = yield* makePlatform()
      const waiting = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 300 }), () => post(client, `${url}/wait`, "x"), {
          concurrency: "unbounded"
        })
      )
      while (paths.length < 300) yield* Effect.sleep(5)
      expect(new TextDecoder().decode(yield* post(client, `${url}/good`, "x"))).toBe("ok")
      expect(yield* Effect.promise(() => fetch(`${url}/good`).then((answer) => answer.text()))).toBe("ok")
      yield* Fiber.interrupt(waiting)
    })
  )
})

// only Node tells of the sockets that its requests are written to
if (!("Bun" in globalThis) && !("Deno" in globalThis)) {
  describe("a socket of node:http that fails as if it had never been", () => {
    it.live("may have sent its request once it was connected, whatever the code", () =>
      Effect.gen(function* () {
        const sockets: Array<Socket> = []
        const onSocket = (message: unknown): void => {
          const isOne = typeof message === "object" && message !== null && "socket" in message
          if (isOne && message.socket instanceof Socket) sockets.push(message.socket)
        }
        yield* Effect.acquireRelease(
          Effect.sync(() => subscribe("net.client.socket", onSocket)),
          () => Effect.sync(() => unsubscribe("net.client.socket", onSocket))
        )
        let error = new Error("none")
        const { paths, url } = yield* served((path, socket) => {
          if (path === "/good") socket.write(GOOD)
          else sockets.at(-1)?.destroy(error)
        })
        for (const code of ["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED", "ERR_SSL_WRONG_VERSION_NUMBER", "CERT_X"]) {
          for (const syscall of ["read", "connect"]) {
            for (const isUsed of [false, true]) {
              error = Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
              const client = yield* makeNode()
              if (isUsed) yield* post(client, `${url}/good`, "x")
              paths.length = 0
              expect(yield* failing(client, `${url}/bad`, "x")).toEqual(["Closed", "Unknown"])
              expect(paths).toEqual(["/bad"])
            }
          }
        }
      })
    )

    it.live("has sent nothing where the handshake fails, whatever the code", () =>
      Effect.gen(function* () {
        for (const end of Object.values(ends)) {
          const server = yield* Effect.acquireRelease(
            Effect.callback<ReturnType<typeof createServer>>((resume) => {
              const server = createServer((socket) => {
                socket.on("error", () => {})
                socket.once("data", () => end(socket))
              })
              server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
            }),
            (server) => Effect.sync(() => server.close())
          )
          const address = server.address()
          const port = address === null || typeof address === "string" ? 0 : address.port
          const client = yield* makeNode()
          expect(yield* failing(client, `https://127.0.0.1:${port}`, "x")).toEqual(["Unreachable", "NotSent"])
        }
      })
    )
  })
}
