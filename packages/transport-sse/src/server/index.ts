export {
  Guard,
  HttpCall,
  type HttpCallService,
  type HttpHandler,
  type HttpRequest,
  Unverified,
  type Verify
} from "@effective-mcp/http"
export { toFetch } from "@effective-mcp/http/fetch"
export { toNodeListener } from "@effective-mcp/http/node"
export { type Mounted, mount } from "./mount.ts"
export type { Options, SessionOptions } from "./Options.ts"
export { serve, type Served, type ServeOptions } from "./serve.ts"
export * as SseServer from "./SseServer.ts"
