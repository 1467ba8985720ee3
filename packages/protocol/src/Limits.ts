/** Every bound that has a default, in one place; each can be set where the thing it bounds is made. */
export const limits = {
  /** Bytes of one message: a line of stdio, an HTTP body, an event. */
  messageBytes: 4 * 1024 * 1024,
  /** Levels of nesting in one message, its own object being the first. */
  depth: 64,
  /** Entries of one batch. */
  batch: 1_024,
  /** Requests of the peer that run at once. */
  handlers: 256,
  /** Requests of the peer that wait for their turn; the next is refused. */
  queued: 1024,
  /** Bytes of the peer's requests that run or wait, about; the next is refused. */
  requestBytes: 64 * 1024 * 1024,
  /** Messages outside any exchange that nobody has read yet, in number and in bytes. */
  unread: 1024,
  unreadBytes: 4 * 1024 * 1024,
  /** Bytes of refusals, cancels and the like that wait for a peer to read, about; what comes next is left unsaid. */
  laterBytes: 8 * 1024 * 1024,
  /** Messages of one exchange that its listener has not heard yet, in number and in bytes. */
  mailbox: 4096,
  mailboxBytes: 4 * 1024 * 1024,
  /** How long a request waits for its response, in ms; each progress notification starts it anew. */
  requestMs: 30_000,
  /** How long a request waits in all, in ms, whatever its progress. */
  requestTotalMs: 600_000,
  /** How long the probe of a server's era waits, in ms. */
  probeMs: 5_000,
  /** How long a farewell (a cancellation, the last response) may take, in ms. */
  farewellMs: 1_000,
  /** How long handlers in flight may go on once the peer has said its last word, in ms. */
  drainMs: 2_000,
  /** How long a child process may take to leave, in ms: after its input has closed, and again after TERM. */
  graceMs: 2_000,
  /** Bytes kept of what a child process says on its standard error. */
  stderrBytes: 64 * 1024,
  /** Entries of one page of a list that a server gives out. */
  pageSize: 1_000,
  /** Pages of one list that are followed. */
  pages: 1_000,
  /** Levels of subschemas in one JSON Schema, and subschemas in all. */
  schemaDepth: 64,
  subschemas: 10_000,
  /** Steps that checking one value against a JSON Schema may take, and how long it may match patterns, in ms. */
  schemaSteps: 2_000_000,
  patternMs: 250,
  /** Characters of a URI template, and its variables. */
  templateLength: 8_192,
  templateVariables: 32,
  /** Characters of a URI that is matched against templates. */
  uriLength: 16_384,
  /** Characters of a URI times steps of a template that is matched against it, about 50 ns each at worst. */
  templateWork: 2_000_000
} as const

/** Refuses a bound that is no count: nothing would be let through, or everything. A mistake of the author: it throws. */
export const requireCounts = (bounds: { readonly [name: string]: number }): void => {
  for (const [name, value] of Object.entries(bounds)) {
    if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} is not a count: ${value}`)
  }
}
