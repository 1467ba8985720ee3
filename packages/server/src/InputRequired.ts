import type { InputRequest } from "@effective-mcp/protocol"

/** A result that asks for more before there can be one: questions for the client, a state to come back with, or both. */
export class InputRequired {
  readonly requests: { readonly [key: string]: InputRequest }
  readonly state: string | undefined
  constructor(requests: { readonly [key: string]: InputRequest }, state: string | undefined) {
    this.requests = requests
    this.state = state
  }
}
