import type { Client } from "@effective-mcp/client"
import type { Headers, HttpClient, Interceptor } from "@effective-mcp/http/client"
import type { Implementation, TransportError } from "@effective-mcp/protocol"
import type { Command, ProcessState, Restart, SuperviseOptions } from "@effective-mcp/transport-stdio"
import type * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"

/** Bounds of one message. */
export interface MessageLimits {
  /** Its bytes. Default 4 MiB. */
  readonly messageBytes?: number | undefined
  /** Its levels of nesting. Default 64. */
  readonly depth?: number | undefined
}

/** What there is to say of a program that is supervised, beside `restart`. */
export interface Supervision extends Omit<SuperviseOptions, "restart"> {
  /** Hears what the process is at, and each change of it. What it throws goes to the log. */
  readonly onProcess?: ((state: ProcessState) => void) | undefined
}

/** How one server is connected to. */
export interface ServerOptions<out RM = never> {
  /** Which eras may be spoken. Default `"auto"`: modern where the server can, else legacy. */
  readonly era?: Client.Options["era"]
  /** The one revision to speak. Default whatever both know best. */
  readonly revision?: string | undefined
  /** Go with every request over HTTP; what makes them anew runs for each. */
  readonly headers?: Headers | Effect.Effect<Headers, TransportError> | undefined
  /** Adds `Authorization: Bearer` with this key to the headers. */
  readonly apiKey?: string | undefined
  /** See each request over HTTP before it is sent, and each answer, the first of the list first: where a program signs in. */
  readonly interceptors?: ReadonlyArray<Interceptor> | undefined
  /** What sends requests over HTTP. Default that of the runtime. */
  readonly http?: HttpClient | undefined
  /** What speaks at an address, where that is known. Default it is found out. */
  readonly wire?: "streamable-http" | "sse" | "plain" | undefined
  /**
   * When a program that has ended is started again: `Restart.lazy` when something is asked of it, as without, `Restart.eager(3)`
   * at once. Either has it supervised.
   */
  readonly restart?: Restart | undefined
  /** What else there is to say of a supervised program: health checks, and who hears of crashes and states. */
  readonly supervise?: Supervision | undefined
  /** Whether a program has the variables of this process beneath its own. Default true. */
  readonly extendEnv?: boolean | undefined
  /** What becomes of the standard error of a program. Default its last 64 KiB are kept for errors. */
  readonly stderr?: Command["stderr"]
  readonly limits?: MessageLimits | undefined
  /** All else of the client: answers, deadlines, cache, retry, middleware. */
  readonly client?: Omit<Client.Options<RM>, "era" | "revision"> | undefined
}

export interface Options<out RM = never> extends ServerOptions<RM> {
  /** Who we say we are. Default this package. */
  readonly info?: Implementation | undefined
  /** How long all of it may take, finding out included. Default 2 min. */
  readonly totalTimeout?: Duration.Input | undefined
  /**
   * What `${NAME}` in a configuration stands for, `${input:NAME}` under `"input:NAME"`; laid over the variables of this
   * process.
   */
  readonly variables?: { readonly [name: string]: string | undefined } | undefined
  /** The one server of a configuration to connect to: the client is that server's, and nothing is renamed. */
  readonly server?: string | undefined
  /** What is different for single servers of a configuration, by their names in it. */
  readonly servers?: { readonly [name: string]: ServerOptions<RM> } | undefined
  /** Servers of a configuration that are connected to at once. Default 8. */
  readonly concurrency?: number | undefined
  /**
   * With `true`, servers of a configuration that cannot be connected to are left out, as long as one can: `failures` tells of
   * them. Default false: all have to work.
   */
  readonly partial?: boolean | undefined
}
