export {
  type ClientRequest,
  ClientResponse,
  type Headers,
  type HttpClient,
  type Interceptor
} from "@effective-mcp/http/client"
export { connect, withApiKey } from "./connect.ts"
export type { Credentials, Options, Reconnect } from "./Options.ts"
