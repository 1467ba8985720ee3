import { runMain, serve } from "@effective-mcp/transport-stdio"
import { Effect } from "effect"
import { notebook } from "./server.ts"

runMain(Effect.flatMap(notebook, (server) => serve(server)))
