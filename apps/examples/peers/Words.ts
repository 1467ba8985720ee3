import type { JsonRpc } from "@effective-mcp/protocol"

/** One call of a tool, and the text that it answers with; without one, any. */
export interface Asking {
  readonly tool: string
  readonly args?: JsonRpc.JsonObject
  readonly text?: string
}

/** How one server is asked for each thing that servers have; what it has not is left out. */
export interface Words {
  readonly server: string
  /** Part of its instructions. */
  readonly instructions: string
  readonly echo: (text: string) => Asking
  readonly output: Asking & { readonly content: JsonRpc.JsonObject }
  readonly failure: Asking
  /** Reports so often. */
  readonly progress: Asking & { readonly times: number }
  readonly cancellation?: (key: string) => { readonly wait: Asking; readonly stopped: Asking }
  /** Logs something, of which the client hears the last. */
  readonly logs: Asking & { readonly level: "debug" | "notice"; readonly heard?: { readonly [name: string]: unknown } }
  readonly resources: ReadonlyArray<{ readonly uri: string; readonly text: string }>
  readonly bytes: { readonly uri: string; readonly blob?: string }
  readonly pageSize?: number
  readonly template: {
    readonly uri: string
    readonly expanded: string
    readonly text: string
    readonly completes: { readonly name: string; readonly value: string; readonly values: ReadonlyArray<string> }
  }
  readonly prompt: {
    readonly name: string
    readonly args: { readonly [name: string]: string }
    readonly text: string
    readonly completes: {
      readonly prompt: string
      readonly name: string
      readonly value: string
      readonly values: ReadonlyArray<string>
    }
  }
  readonly form: Asking & { readonly message: string }
  readonly page: Asking & { readonly url: string }
  readonly signIn: Asking
  readonly model: Asking & { readonly prompt: string }
  readonly where: Asking
  /** Adds something to a list. */
  readonly grow: (name: string) => Asking & { readonly list: "tools" | "resources" }
  /** Tells of a resource that it has changed. */
  readonly touch: Asking & { readonly uri: string }
}
