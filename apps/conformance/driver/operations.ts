import { type Client, Logging, Prompts, Resources, Subscriptions, Tools } from "@effective-mcp/client"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { event } from "./output.ts"
import type { Step } from "./script.ts"

type Use = (client: Client.Client, step: Step) => Effect.Effect<unknown, unknown>

/** What every request of a step is given. */
const optionsOf = ({ progress, timeoutMs }: Step) => ({
  ...(timeoutMs === undefined ? undefined : { timeout: timeoutMs }),
  ...(progress ? { onProgress: (report: object) => event("progress", report) } : undefined)
})

const text = (value: unknown): string => String(value ?? "")
const record = (value: unknown) => (value ?? {}) as { readonly [name: string]: never } // cast: as the script has it

/** One page, or all of them. */
const listing =
  <A>(
    page: (client: Client.Client, step: Step) => Effect.Effect<unknown, unknown>,
    all: (client: Client.Client, step: Step) => Stream.Stream<A, unknown>
  ): Use =>
  (client, step) =>
    step.all ? Stream.runCollect(all(client, step)) : page(client, step)

const pageOf = ({ cursor }: Step) => (typeof cursor === "string" ? { cursor } : {})

/** Tells of changes until it is interrupted. */
export const follow = (client: Client.Client, wish: Parameters<typeof Subscriptions.listen>[1]) =>
  Stream.runForEach(Subscriptions.listen(client, wish), (change) => Effect.sync(() => event("change", { change })))

/** What a script can ask of a client that is connected. */
export const operations: { readonly [op: string]: Use } = {
  serverInfo: ({ capabilities, era, instructions, revision, server }) =>
    Effect.succeed({ era, revision, server, capabilities, instructions }),
  ping: (client, step) => client.ping(optionsOf(step)),
  listTools: listing(
    (client, step) => Tools.list(client, pageOf(step), optionsOf(step)),
    (client, step) => Tools.all(client, optionsOf(step))
  ),
  listResources: listing(
    (client, step) => Resources.list(client, pageOf(step), optionsOf(step)),
    (client, step) => Resources.all(client, optionsOf(step))
  ),
  listTemplates: listing(
    (client, step) => Resources.templates(client, pageOf(step), optionsOf(step)),
    (client, step) => Resources.allTemplates(client, optionsOf(step))
  ),
  listPrompts: listing(
    (client, step) => Prompts.list(client, pageOf(step), optionsOf(step)),
    (client, step) => Prompts.all(client, optionsOf(step))
  ),
  callTool: (client, step) => Tools.call(client, text(step.name), record(step.arguments), optionsOf(step)),
  readResource: (client, step) => Resources.read(client, text(step.uri), optionsOf(step)),
  getPrompt: (client, step) => Prompts.get(client, text(step.name), record(step.arguments), optionsOf(step)),
  complete: (client, step) => {
    const { argument, context, ref } = step as never as { argument: never; context?: never; ref: never } // cast: as the script has it
    const params = { ref, argument, ...(context === undefined ? undefined : { context }) }
    return client.request("completion/complete", params, optionsOf(step))
  },
  setLogLevel: (client, step) => Logging.setLevel(client, step.level as never, optionsOf(step)), // cast: as the script has it
  listen: (client, { filter, forMs = 1_000 }) =>
    Effect.timeoutOption(follow(client, record(filter)), Number(forMs)).pipe(Effect.as(null)),
  close: (client) => client.close,
  reconnect: (client) => client.reconnect
}
