import type { ErrorObject } from "../JsonRpc.ts"
import { internal } from "../RpcError.ts"
import type { TransportError } from "../TransportError.ts"

/** What answers a request where the response itself is what is wrong, and not the wire. */
export const errorFor = ({ reason }: TransportError): ErrorObject | undefined => {
  if (reason._tag === "Unsendable") return internal
  if (reason._tag !== "TooLarge") return undefined
  return { ...internal, message: `${internal.message}: the response is longer than ${reason.limit} bytes` }
}
