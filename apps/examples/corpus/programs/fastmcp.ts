/** The server that is measured in `apps/bench`, once it listens: `fastmcp.ts http <port> <legacy|legacy-stateless>`. */
await import(new URL("../../../bench/targets/fastmcp/server.mjs", import.meta.url).href)
console.log("ready")

export {}
