import { type Client, Completion, Logging, Prompts, type Progress, Resources, Tools } from "@effective-mcp/client"
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Options } from "./options.ts"
import { event } from "./output.ts"
import type { Request } from "./steps.ts"

/** A step that is done now: its number, the client, and what the script has set. */
export interface Doing {
  readonly client: Client.Client
  readonly at: number
  readonly options: Options
}

const optionsOf = (
  { cache, logLevel, meta, progress, timeoutMs, totalTimeoutMs }: Request,
  { at, options }: Doing
) => ({
  cache,
  logLevel,
  meta,
  timeout: timeoutMs,
  totalTimeout: totalTimeoutMs,
  maxPages: options.pages,
  check: options.check,
  onProgress: progress ? (report: Progress) => event("progress", { step: at, ...report }) : undefined
})

type Listing = Extract<Request, { readonly all?: boolean }>

/** One page, or all that is listed. */
const listing = <A, E>(
  { all, cursor }: Listing,
  page: (params: { readonly cursor?: string }) => Effect.Effect<unknown, E>,
  whole: () => Stream.Stream<A, E>
): Effect.Effect<unknown, E> => (all ? Stream.runCollect(whole()) : page(cursor === undefined ? {} : { cursor }))

/** Makes the request of a step: its value is what the client's function gives. */
export const operate = (step: Request, doing: Doing): Effect.Effect<unknown, unknown> => {
  const { client } = doing
  const options = optionsOf(step, doing)
  switch (step.op) {
    case "listTools":
      return listing<unknown, unknown>(
        step,
        (params) => Tools.list(client, params, options),
        () => Tools.all(client, options)
      )
    case "listResources":
      return listing<unknown, unknown>(
        step,
        (params) => Resources.list(client, params, options),
        () => Resources.all(client, options)
      )
    case "listTemplates":
      return listing<unknown, unknown>(
        step,
        (params) => Resources.templates(client, params, options),
        () => Resources.allTemplates(client, options)
      )
    case "listPrompts":
      return listing<unknown, unknown>(
        step,
        (params) => Prompts.list(client, params, options),
        () => Prompts.all(client, options)
      )
    case "callTool":
      return Tools.call(client, step.name, step.arguments, options)
    case "readResource":
      return Resources.read(client, step.uri, options)
    case "getPrompt":
      return Prompts.get(client, step.name, step.arguments, options)
    case "complete": {
      const ref = "uri" in step.ref ? { template: step.ref.uri } : { prompt: step.ref.name }
      return Completion.complete(client, ref, step.argument, { ...options, known: step.context?.arguments })
    }
    case "setLogLevel":
      return Logging.setLevel(client, step.level, options)
    case "ping":
      return client.ping(options)
  }
}
