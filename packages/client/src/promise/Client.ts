import type {
  CallToolResult,
  CompleteResult,
  Connection,
  GetPromptResult,
  Implementation,
  JsonRpc,
  ListPromptsResult,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ListToolsResult,
  LoggingLevel,
  LogMessage,
  PageParams,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  SubscriptionFilter,
  Tool,
  TransportError
} from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Base from "../Client.ts"
import * as Completion from "../feature/Completion.ts"
import * as Extension from "../feature/Extension.ts"
import * as Logging from "../feature/Logging.ts"
import * as Prompts from "../feature/Prompts.ts"
import * as Resources from "../feature/Resources.ts"
import * as Subscriptions from "../feature/Subscriptions.ts"
import * as Tools from "../feature/Tools.ts"
import { type Options, type RequestOptions, toClient, toRequest } from "./options.ts"
import { iterate, run } from "./running.ts"

/** What can be set for a call of a tool. */
export interface CallOptions extends RequestOptions, Pick<Tools.CallOptions, "check"> {}

/** What can be set for a call of a method of an extension. */
export interface ExtensionOptions extends Pick<
  RequestOptions,
  "signal" | "onProgress" | "timeout" | "totalTimeout" | "meta" | "onLog" | "logLevel"
> {}

/** What a list is gone through with. */
export interface ListOptions extends RequestOptions {
  /** How many pages are followed. Default 1,000. */
  readonly maxPages?: number | undefined
}

/**
 * A server that we are connected to. Each function sends one request, unless it says otherwise; each promise rejects with
 * the client's typed errors (`error._tag`, `error.outcome`). `await using` closes it.
 */
export interface Client
  extends
    AsyncDisposable,
    Pick<Base.Client, "era" | "revision" | "server" | "capabilities" | "instructions" | "connected"> {
  /** One page of the tools. */
  readonly listTools: (params?: PageParams, options?: RequestOptions) => Promise<ListToolsResult>
  /** All tools, page after page as they are taken. */
  readonly tools: (options?: ListOptions) => AsyncIterable<Tool>
  /** Calls a tool. That the tool failed is a result too: see its `isError`. */
  readonly callTool: (tool: Tools.Named, args?: object, options?: CallOptions) => Promise<CallToolResult>
  /** Calls a tool and reads its structured content by a schema: zod, arktype, valibot, Effect. */
  readonly callToolAs: <A>(
    tool: Tools.Named,
    output: Tools.Output<A>,
    args?: object,
    options?: CallOptions
  ) => Promise<A>
  readonly listResources: (params?: PageParams, options?: RequestOptions) => Promise<ListResourcesResult>
  readonly resources: (options?: ListOptions) => AsyncIterable<Resource>
  readonly listResourceTemplates: (
    params?: PageParams,
    options?: RequestOptions
  ) => Promise<ListResourceTemplatesResult>
  readonly resourceTemplates: (options?: ListOptions) => AsyncIterable<ResourceTemplate>
  readonly readResource: (
    resource: string | Pick<Resource, "uri">,
    options?: RequestOptions
  ) => Promise<ReadResourceResult>
  readonly listPrompts: (params?: PageParams, options?: RequestOptions) => Promise<ListPromptsResult>
  readonly prompts: (options?: ListOptions) => AsyncIterable<Prompt>
  readonly getPrompt: (
    prompt: string | Pick<Prompt, "name">,
    args?: { readonly [name: string]: string },
    options?: RequestOptions
  ) => Promise<GetPromptResult>
  /** Asks what an argument may be, as far as it is typed. */
  readonly complete: (
    ref: Completion.Ref,
    argument: { readonly name: string; readonly value: string },
    options?: RequestOptions & Pick<Completion.CompleteOptions, "known">
  ) => Promise<CompleteResult["completion"]>
  /** Calls a method of an extension that the server names, and gives back its result as it came. */
  readonly callExtension: (called: Extension.Called, options?: ExtensionOptions) => Promise<JsonRpc.JsonObject>
  /** What the server says of an extension; undefined when it does not name it. */
  readonly extensionSettings: (id: string) => JsonRpc.JsonObject | undefined
  /** Changes of lists and resources, until the loop is left. */
  readonly changes: (
    wish: SubscriptionFilter,
    options?: Subscriptions.Options & { readonly signal?: AbortSignal | undefined }
  ) => AsyncIterable<Subscriptions.Change>
  readonly setLogLevel: (level: LoggingLevel, options?: RequestOptions) => Promise<void>
  /** What the server logs, until the loop is left. */
  readonly logs: (options?: { readonly signal?: AbortSignal | undefined }) => AsyncIterable<LogMessage>
  readonly ping: (options?: RequestOptions) => Promise<void>
  /** Begins a session anew on a connection of its own. */
  readonly reconnect: () => Promise<void>
  /** Ends the session and lets go of everything. */
  readonly close: () => Promise<void>
  /** The same client for Effect: what `Tools` and the other features work on. */
  readonly effect: Base.Client
}

/**
 * Connects to a server and comes to terms with it, whatever its era.
 *
 * ```ts no-run: it needs a server of its own
 * import { connect } from "@effective-mcp/client/promise"
 * import { connect as http } from "@effective-mcp/transport-http/client"
 *
 * await using client = await connect(http("http://127.0.0.1:3000/mcp"), { name: "my-app", version: "1.0.0" })
 * for await (const { name } of client.tools()) console.log(name)
 * console.log(await client.callTool("add", { a: 1, b: 2 }))
 * ```
 *
 * @param transport how to reach it: `spawn({ command: "…" })` of a process, `connect("https://…")` of an address
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export const connect = async (
  transport: Effect.Effect<Connection, TransportError, Scope.Scope>,
  info: Implementation,
  options: Options = {}
): Promise<Client> => open(Base.connect(transport, info, toClient(options)), options.signal)

/** A client of Effect's as one of promises, whose life ends when it is closed. */
export const open = async (
  connecting: Effect.Effect<Base.Client, unknown, Scope.Scope>,
  signal?: AbortSignal
): Promise<Client> => {
  const scope = Scope.makeUnsafe()
  const close = () => run(Scope.close(scope, Exit.void))
  const owned = connecting.pipe(
    Effect.provideService(Scope.Scope, scope),
    Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit)))
  )
  return clientOf(await run(owned, signal), close)
}

const clientOf = (client: Base.Client, close: () => Promise<void>): Client => ({
  get era() {
    return client.era
  },
  get revision() {
    return client.revision
  },
  get server() {
    return client.server
  },
  get capabilities() {
    return client.capabilities
  },
  get instructions() {
    return client.instructions
  },
  get connected() {
    return client.connected
  },
  effect: client,
  listTools: (params, options) => run(Tools.list(client, params, toRequest(options)), options?.signal),
  tools: (options) => iterate(Tools.all(client, toRequest(options)), options?.signal),
  callTool: (tool, args, options) => run(Tools.call(client, tool, args, toRequest(options)), options?.signal),
  callToolAs: (tool, output, args, options) =>
    run(Tools.callAs(client, tool, output, args, toRequest(options)), options?.signal),
  listResources: (params, options) => run(Resources.list(client, params, toRequest(options)), options?.signal),
  resources: (options) => iterate(Resources.all(client, toRequest(options)), options?.signal),
  listResourceTemplates: (params, options) =>
    run(Resources.templates(client, params, toRequest(options)), options?.signal),
  resourceTemplates: (options) => iterate(Resources.allTemplates(client, toRequest(options)), options?.signal),
  readResource: (resource, options) => run(Resources.read(client, resource, toRequest(options)), options?.signal),
  listPrompts: (params, options) => run(Prompts.list(client, params, toRequest(options)), options?.signal),
  prompts: (options) => iterate(Prompts.all(client, toRequest(options)), options?.signal),
  getPrompt: (prompt, args, options) => run(Prompts.get(client, prompt, args, toRequest(options)), options?.signal),
  complete: (ref, argument, options) =>
    run(Completion.complete(client, ref, argument, toRequest(options)), options?.signal),
  callExtension: (called, options) => run(Extension.call(client, called, toRequest(options)), options?.signal),
  extensionSettings: (id) => Extension.settings(client, id),
  changes: (wish, options) => iterate(Subscriptions.listen(client, wish, options), options?.signal),
  setLogLevel: (level, options) => run(Logging.setLevel(client, level, toRequest(options)), options?.signal),
  logs: (options) => iterate(Logging.messages(client), options?.signal),
  ping: (options) => run(client.ping(toRequest(options)), options?.signal),
  reconnect: () => run(client.reconnect),
  close,
  [Symbol.asyncDispose]: close
})
