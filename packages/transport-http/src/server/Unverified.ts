import { type HttpResponse, refusalOf, type Unverified } from "@effective-mcp/http"
import { refuse } from "./refuse.ts"

export { identityOf, principalOf, Unverified, verify, type Verify } from "@effective-mcp/http"

export const turnAway = (response: HttpResponse, reason: Unverified): void => {
  const { headers, message, status } = refusalOf(reason)
  refuse(response, status, message, { headers })
}
