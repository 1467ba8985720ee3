import type { Host } from "@effective-mcp/protocol"

/** One server of a configuration that is a program; texts may hold `${NAME}`. */
export interface CommandEntry {
  readonly type?: "stdio" | undefined
  /** A path, or a name that is looked up on `PATH`. No shell reads it. */
  readonly command: string
  readonly args?: ReadonlyArray<string> | undefined
  /** Laid over the variables of this process. */
  readonly env?: { readonly [name: string]: string } | undefined
  /** The folder that it starts in. Default this process's own. */
  readonly cwd?: string | undefined
  /** How long a request waits for its response, in ms. Default 30,000. */
  readonly timeout?: number | undefined
  /** Leaves the server out. */
  readonly disabled?: boolean | undefined
  readonly url?: never
}

/** One server of a configuration that is at an address; texts may hold `${NAME}`. */
export interface UrlEntry {
  /** What speaks there. `"http"`, as none, is found out: Streamable HTTP where it can be, else HTTP+SSE or plain HTTP. */
  readonly type?: "http" | "streamable-http" | "sse" | "plain" | undefined
  readonly url: string
  /** Go with every request. */
  readonly headers?: { readonly [name: string]: string } | undefined
  /** How long a request waits for its response, in ms. Default 30,000. */
  readonly timeout?: number | undefined
  /** Leaves the server out. */
  readonly disabled?: boolean | undefined
  readonly command?: never
}

export type Entry = CommandEntry | UrlEntry

/** What Claude Desktop, Cursor and others have in their file, or VS Code in its own. What else is in there is left alone. */
export type Config =
  | { readonly mcpServers: { readonly [name: string]: Entry } }
  | { readonly servers: { readonly [name: string]: Entry } }

/** A program and its arguments, as each of them reaches it. */
export type Argv = readonly [command: string, ...args: ReadonlyArray<string>]

/**
 * What can be connected to:
 *
 * | Target | Example |
 * | --- | --- |
 * | an address | `"https://example.com/mcp"`, a `URL` |
 * | a command line | `"npx -y @scope/server --flag 'two words'"` |
 * | its words | `["npx", "-y", "@scope/server"]` |
 * | the same as a URL | `"stdio://npx?arg=-y&arg=@scope/server"` |
 * | one server of a configuration | `{ command: "npx", args: ["-y", "@scope/server"], env: { KEY: "…" } }` |
 * | a configuration, or its file | `{ mcpServers: { … } }`, `"file:///home/me/mcp.json"`, `"./mcp.json"` |
 * | a server in this process | `Server.make(…)` |
 */
export type Target = string | URL | Argv | Entry | Config | Host

/** Addresses that nothing here speaks, where they are written out. */
type Unspoken = "" | `${"ws" | "wss" | "ftp" | "data" | "blob" | "unix" | "tcp" | "sse" | "mcp"}:${string}`

/** Lets a compiler refuse what can be known to lead nowhere. */
export type Legal<T> = T extends Unspoken ? { readonly "nothing can be connected to at this address": T } : unknown

/** What a target reads as when it names several servers. */
export type IsConfig<T> = T extends { readonly mcpServers: unknown } | { readonly servers: unknown } | `file:${string}`
  ? true
  : false
