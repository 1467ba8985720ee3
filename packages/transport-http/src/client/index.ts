export {
  type ClientRequest,
  ClientResponse,
  type Headers,
  type HttpClient,
  type Interceptor
} from "@effective-mcp/http/client"
export { connect } from "./connect.ts"
export type { Options, Reconnect } from "./Options.ts"
