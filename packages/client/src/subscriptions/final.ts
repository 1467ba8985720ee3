import { TransportError } from "@effective-mcp/protocol"

const finals = new WeakSet<object>()

/** The same failure, after which a subscription is not opened again though another one like it would be. */
export const final = ({ outcome, reason }: TransportError): TransportError => {
  const error = TransportError.make(reason, outcome)
  finals.add(error)
  return error
}

export const isFinal = (error: object): boolean => finals.has(error)
