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
  /** How long a question of a server's waits for its answer, in ms. */
  questionMs: 600_000,
  /** Questions of a server that its host answers at once, and that wait for their turn; the next is refused. */
  questions: 16,
  questionsQueued: 1024,
  /** Such questions of one call, and characters of the id of one that came on a call's own stream. */
  callQuestions: 64,
  questionIdLength: 1_024,
  /** Pages that a host was sent to and does not know yet to be done with. */
  visits: 1_000,
  /** How long a call whose server only wants to be asked again waits, in ms: at first, and at the most. */
  roundMs: 500,
  roundMostMs: 5_000,
  /** Output schemas that a client keeps of one server's tools, and characters of them as JSON. */
  outputSchemas: 1_000,
  outputSchemaChars: 16 * 1024 * 1024,
  /** How often one call may end with questions, and how often a legacy client is asked for a handler that ends so. */
  inputRounds: 10,
  legacyInputRounds: 8,
  /** How long what a call has been told stays valid between its rounds, in ms, and how many characters it may take. */
  requestStateMs: 300_000,
  requestStateLength: 1024 * 1024,
  /** How often a request that failed on the wire is sent again, the longest first wait and all waits together, in ms. */
  retryAttempts: 2,
  retryDelayMs: 200,
  retryTotalMs: 10_000,
  /** How many such attempts all requests of a client share; each request that succeeds gives a tenth of one back. */
  retryBudget: 10,
  /** Results of one kind that a client keeps, and resources whose changes it counts by themselves. */
  cached: 64,
  /** Characters of all results that a client keeps, as JSON; one that has more than a quarter of them is not kept. */
  cachedChars: 16 * 1024 * 1024,
  cachedGenerations: 256,
  /** How long each probe of what is at an address waits, in ms. */
  detectMs: 10_000,
  /** How long the probe of a server's era waits, in ms. */
  probeMs: 5_000,
  /** How long a farewell (a cancellation, the last response) may take, in ms. */
  farewellMs: 1_000,
  /** How long handlers in flight may go on once the peer has said its last word, in ms. */
  drainMs: 2_000,
  /** Legacy sessions over HTTP: how many there may be, how long one may idle and how often that is looked at, in ms. */
  sessions: 10_000,
  sessionIdleMs: 1_800_000,
  reaperMs: 60_000,
  /** Requests of one session that run at once, and standalone streams that it has open. */
  sessionHandlers: 256,
  sessionStreams: 16,
  /** Messages outside any exchange that a session keeps while it has no stream to say them on. */
  sessionBacklog: 64,
  /** Open `subscriptions/listen` streams over HTTP. */
  listens: 1_000,
  /** How long a body may take to come over HTTP at the most; half of it is always let pass, in ms. */
  bodyMs: 120_000,
  /** Bytes of all bodies that come over HTTP at once and are not small; one that goes over it is refused. */
  bodiesBytes: 64 * 1024 * 1024,
  /** Bytes of a body that are always taken, and do not count there. */
  smallBodyBytes: 64 * 1024,
  /** The least that has to come of another body within so many ms, or it may have to make room for one that comes faster. */
  bodyPaceBytes: 256 * 1024,
  bodyPaceMs: 1_000,
  /** Bytes that are taken of a body that nobody wants, so that its client gets to read the answer, and for how long, in ms. */
  unwantedBytes: 16 * 1024 * 1024,
  unwantedMs: 2_000,
  /** How long a reader may take nothing of a stream that more waits for at the most; half of it is always let pass, in ms. */
  stallMs: 120_000,
  /** Bytes that may wait for the reader of a stream for long, about; and what it has to take of more, at the least, within so many ms. */
  behindBytes: 4 * 1024 * 1024,
  behindPaceBytes: 256 * 1024,
  behindPaceMs: 5_000,
  /** How long a stream over HTTP stays silent, in ms. */
  keepAliveMs: 15_000,
  /** How long a client should wait before it comes back to a stream, in ms. */
  retryMs: 1_000,
  /** Bytes that are read of the body of an HTTP error, expanded, and how long that may take, in ms. */
  errorBytes: 64 * 1024,
  errorMs: 2_000,
  /** Characters of an event's id that a client remembers. */
  eventIdLength: 1_024,
  /** Redirects that are followed for one request. */
  redirects: 3,
  /** Coming back to a broken stream: the shortest wait, how often without success, and how long in all, in ms. */
  reconnectFloorMs: 100,
  reconnects: 2,
  reconnectTotalMs: 300_000,
  /** How long a stream of a server's own may stay silent before it is opened anew, in ms. */
  streamIdleMs: 300_000,
  /** How long a server may take to confirm the end of a session, in ms. */
  sessionEndMs: 2_000,
  /** Tools whose parameters a client remembers to repeat in headers, and characters of all that it remembers of them. */
  learnedTools: 1_000,
  learnedChars: 4 * 1024 * 1024,
  /** Names of further such tools, characters of one of them, and how many of them are remembered because they are called. */
  forgottenTools: 10_000,
  forgottenToolLength: 256,
  calledTools: 100,
  /** Events that are kept of one stream, and bytes of all that are kept. */
  streamEvents: 1_000,
  eventBytes: 64 * 1024 * 1024,
  /** How long a child process may take to leave, in ms: after its input has closed, and again after TERM. */
  graceMs: 2_000,
  /** Bytes kept of what a child process says on its standard error. */
  stderrBytes: 64 * 1024,
  /** Characters of one line of it, where it is told line by line; a longer one comes in pieces. */
  stderrLine: 64 * 1024,
  /** How often it is looked whether a supervised process is still there, in ms. */
  healthCheckMs: 15_000,
  /** How long whoever wants to hear of a crash can hold up what follows from it, in ms. */
  crashTellMs: 250,
  /** States of a supervised process that one reader has not read yet; the oldest is left out. */
  unreadStates: 64,
  /** Entries of one page of a list that a server gives out. */
  pageSize: 1_000,
  /** Subscriptions of one server that are open at once; the next is refused. */
  subscriptions: 1_000,
  /** Resources that one subscription, or one legacy session, hears of. */
  watched: 1_000,
  /** Characters of the URIs that one subscription asks for. */
  wishChars: 128 * 1024,
  /** Characters of all that is subscribed to, over all clients of a server. */
  watchedChars: 64 * 1024 * 1024,
  /** Log records of one request that wait to be written; the next is left out. */
  logs: 256,
  /** Values of one completion. */
  completions: 100,
  /** Pages of one list that are followed. */
  pages: 1_000,
  /** Logs and the like that one reader of a client has not read yet; the oldest is left out. */
  unheard: 1_000,
  /** Resources that have changed and that one reader of a client has not read of yet; then it is told to read all anew. */
  unreadChanges: 1_000,
  /** How often in a row a subscription that broke is opened again. */
  reopenings: 8,
  /** How often a client tries to connect over HTTP, and to take up a lost session, and for how long in all, in ms. */
  connectAttempts: 3,
  recoverAttempts: 5,
  recoverMs: 30_000,
  /** The wait before such an attempt, in ms: the first, doubled from one to the next, and the longest. */
  backOffMs: 250,
  backOffMostMs: 5_000,
  /** The same for a stream of a server's own that a client has lost. */
  streamBackOffMs: 1_000,
  streamBackOffMostMs: 30_000,
  /** How long a server on a pipe stays up at the least before it is started anew without being asked to, in ms. */
  uptimeMs: 5_000,
  /** How long connecting to a target may take in all, in ms, and servers of a configuration that are connected to at once. */
  connectMs: 120_000,
  connectServers: 8,
  /** Characters of a configuration, its servers, and values of one list or object of an entry. */
  configBytes: 1024 * 1024,
  configServers: 256,
  configValues: 1_000,
  /** Characters of a command line, and of one text of a configuration. */
  commandLineLength: 32 * 1024,
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
