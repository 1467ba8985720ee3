import { runMain, serve } from "@effective-mcp/transport-stdio"
import { server } from "./server.ts"

runMain(serve(server))
