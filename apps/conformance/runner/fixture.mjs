/** Starts and ends the programs that `fixtures.json` names. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { root } from "../../../scripts/runtimes.mjs"

const fixtures = JSON.parse(readFileSync(new URL("../fixtures.json", import.meta.url), "utf8"))

/** How long a server may take to listen, and how long to leave, in ms. */
const START_MS = 20_000
const LEAVE_MS = 5_000

/** What is kept of what a program says on stderr, in characters. */
const LAST = 4_000

/** The command line of a fixture, its binary first; undefined when there is none for that runtime. */
export const argvOf = (fixture, runtime) => fixtures[fixture]?.[runtime]

export const runtimes = Object.keys(fixtures.server)

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  server.close()
  await once(server, "close")
  return port
}

const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const settle = (is) => {
      socket.destroy()
      resolve(is)
    }
    socket.once("connect", () => settle(true))
    socket.once("error", () => settle(false))
  })

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks a program to leave, and makes it. */
const end = async (child) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const left = once(child, "exit")
  const timer = setTimeout(() => child.kill("SIGKILL"), LEAVE_MS)
  child.kill("SIGTERM")
  await left
  clearTimeout(timer)
}

/**
 * Starts the HTTP server of a runtime, and waits until it listens.
 *
 * @returns its URL, what it says on stderr, and how to end it
 */
export const startServer = async (runtime) => {
  const argv = argvOf("server", runtime)
  if (argv === undefined) throw new Error(`there is no server for ${runtime}`)
  const port = await freePort()
  const [command, ...args] = argv.map((word) => word.replace("{port}", String(port)))
  const { FIXTURE_OPTIONS: _, ...env } = process.env
  const child = spawn(command, args, { cwd: root, env, stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  let wrong
  child.stderr.on("data", (part) => (said = (said + part).slice(-LAST)))
  child.once("error", (error) => (wrong = error.message))
  const stop = () => child.kill("SIGKILL")
  process.once("exit", stop)
  const until = Date.now() + START_MS
  while (!(await answers(port))) {
    if (child.exitCode !== null) wrong ??= `it ended with ${child.exitCode}`
    if (Date.now() > until) wrong ??= `it did not listen within ${START_MS} ms`
    if (wrong !== undefined) {
      stop()
      throw new Error(`the server for ${runtime} did not start: ${wrong}\n${said}`)
    }
    await pause(50)
  }
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    said: () => said,
    end: async () => {
      await end(child)
      process.off("exit", stop)
    }
  }
}
