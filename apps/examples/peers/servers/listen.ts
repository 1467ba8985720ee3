import { createServer, type RequestListener } from "node:http"

/** Serves HTTP on a free port of this machine, and says where, which is what starts a program waits for. */
export const listen = (answer: RequestListener): void => {
  const server = createServer(answer)
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    if (address !== null && typeof address !== "string") console.log(`http://127.0.0.1:${address.port}/mcp`)
  })
}
