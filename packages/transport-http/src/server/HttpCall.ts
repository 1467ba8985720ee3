export { HttpCall, type HttpCallService } from "@effective-mcp/http"
