/**
 * What a server of some SDK offers here, in the same words whichever SDK it is: what its tools are called and say, and what
 * it has else. One program a SDK serves it, on stdio or over HTTP.
 */
export const offer = {
  info: { name: "peer", version: "1.0.0" },
  instructions: "Ask for the tool that you need.",
  tools: {
    /** Gives back its `text`. */
    echo: "echo",
    /** Adds `a` and `b`, as structured content: `{ sum }`. */
    add: "add",
    /** Fails, in words of its own. */
    fail: "fail",
    /** Reports `count` times, then says so. */
    count: "count",
    /** Reports once, then never ends by itself; `key` names the call. */
    wait: "wait",
    /** Answers once the call of `wait` that `key` names has been cancelled. */
    stopped: "stopped",
    /** Logs `text` as something for debugging, then as a notice. */
    log: "log",
    /** Shows a form with one field, `name`, and says what came of it. */
    form: "form",
    /** Sends a person to a page, and says what came of it. */
    page: "page",
    /** Fails because a person has to go to a page first. */
    signIn: "signIn",
    /** Has the client's model say something, and says what that was. */
    model: "model",
    /** Says which roots the client has. */
    where: "where",
    /** Adds a tool that is called `name`. */
    grow: "grow",
    /** Says of the resource `notes[0]` that it has changed. */
    touch: "touch"
  },
  failure: "it cannot be done",
  form: { message: "Who are you?", field: "name", value: "Ada" },
  page: { message: "Sign in", url: "https://example.com/sign-in?from=peer", id: "page-1" },
  prompt: "Say something.",
  /** Resources, and how many of them are on a page where there are pages. */
  notes: ["one", "two", "three", "four", "five"].map((name) => ({ name, uri: `note://${name}`, text: `note ${name}` })),
  pageSize: 2,
  /** A resource of bytes. */
  bytes: { name: "bytes", uri: "bytes://all", blob: btoa("\u0000\u0001\u00ff") },
  template: {
    name: "item",
    uri: "item://{id}",
    text: (id: string) => `item ${id}`,
    ids: ["apple", "apricot", "banana"]
  },
  greeting: {
    name: "greet",
    argument: "name",
    text: (name: string) => `Greet ${name}.`,
    names: ["Ada", "Adele", "Bob"]
  }
} as const

/** What of `all` begins with what is typed. */
export const matching = (all: ReadonlyArray<string>, typed: string): Array<string> =>
  all.filter((one) => one.startsWith(typed))

/** The page of a list that a cursor leads to, and the cursor of the next one. */
export const pageOf = <A>(
  all: ReadonlyArray<A>,
  cursor: string | undefined
): { items: Array<A>; nextCursor?: string } => {
  const from = cursor === undefined ? 0 : Number(cursor)
  const to = from + offer.pageSize
  return { items: all.slice(from, to), ...(to < all.length ? { nextCursor: String(to) } : undefined) }
}

/** Calls that were cancelled, and who waits to hear of it. */
export const makeCancelled = () => {
  const done = new Set<string>()
  const waiting = new Map<string, () => void>()
  return {
    tell: (key: string): void => {
      done.add(key)
      waiting.get(key)?.()
    },
    heard: (key: string): Promise<void> =>
      new Promise((resolve) => (done.has(key) ? resolve() : void waiting.set(key, resolve)))
  }
}
