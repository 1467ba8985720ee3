/**
 * A text that plays one side of a conversation and checks the other. It plays on any `Duplex`: against a server, or as
 * the server of a client.
 *
 *     # a comment
 *     > {"jsonrpc":"2.0","id":1,"method":"tools/list"}
 *     < {"jsonrpc":"2.0","id":1,"result":{"tools":"$any"}}
 *
 * - `>` is what we send, `<` what the other side has to say next. A line that begins with a space continues the one before.
 * - `"$any"` fits any value. `"$name"` fits any value too, the first time; from then on it is that value, also in what we
 *   send. `"$$"` at the start of a text means one `$`.
 * - `$name = value` gives a name to a value that is written down once.
 * - An object with the member `"..."` may have others that are not written down; else every member counts, in any order.
 * - Lines between a `(` and a `)`, each alone on its line, may come in any order: what is heard goes to the first it fits.
 * - `< end` waits until the other side has closed its end.
 */
export { TranscriptMismatch as Mismatch, TranscriptSyntaxError as SyntaxError } from "./transcript/errors.ts"
export {
  type AnyOrder,
  type End,
  type Expect,
  parse,
  type Send,
  type Step,
  type Transcript
} from "./transcript/parse.ts"
export { type Captures } from "./transcript/pattern.ts"
export { type Options, play } from "./transcript/play.ts"
