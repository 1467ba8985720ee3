import type { Server } from "node:http"

/** The port that a server listens at. */
export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}
