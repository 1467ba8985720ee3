import { type Connection, type Duplex, type Frame, type Incoming } from "@effective-mcp/protocol"
import * as Effect from "effect/Effect"
import { makeRecorder, type Options, type Recording } from "./transcript/Recorder.ts"

export type { Options, Recording } from "./transcript/Recorder.ts"

type Note = ReturnType<typeof makeRecorder>["note"]

/** Notes all that is read, read by read. */
const hearing =
  (note: Note) =>
  <A extends Frame.Frame>(incoming: Incoming<A>): Incoming<A> =>
    Effect.map(incoming, (pull) =>
      Effect.map(pull, (frames) => {
        for (const frame of frames) note("theirs", frame)
        return frames
      })
    )

/**
 * A duplex that writes down what goes over it, as a transcript that `Transcript.play` can play again at this end. Ids
 * are numbered in order of appearance and no times are kept, so that the same conversation gives the same text.
 *
 * Nothing is left out of it unless `redact` does so: keys and tokens that messages carry are written down.
 */
export const record = <D extends Duplex>(duplex: D, options?: Options): readonly [D & Duplex, Recording] => {
  const { note, recording } = makeRecorder(options)
  const heard = hearing(note)
  const wrapped = {
    ...duplex,
    incoming: heard(duplex.incoming),
    send: (message: Parameters<Duplex["send"]>[0]) =>
      Effect.suspend(() => {
        // before: the answer may be read before this returns
        note("ours", message)
        return duplex.send(message)
      })
  }
  return [wrapped, recording]
}

/** The same for a connection: its requests, what was said because of them, and the rest, in the order in which it happened. */
export const recordConnection = <C extends Connection>(
  connection: C,
  options?: Options
): readonly [C & Connection, Recording] => {
  const { note, recording } = makeRecorder(options)
  const heard = hearing(note)
  const wrapped = {
    ...connection,
    exchange: (...[request, listener]: Parameters<Connection["exchange"]>) =>
      Effect.suspend(() => {
        note("ours", request)
        const hear: typeof listener = (said) =>
          Effect.suspend(() => {
            note("theirs", said)
            return listener(said)
          })
        return Effect.tap(connection.exchange(request, hear), (response) => Effect.sync(() => note("theirs", response)))
      }),
    send: (message: Parameters<Connection["send"]>[0]) =>
      Effect.suspend(() => {
        note("ours", message)
        return connection.send(message)
      }),
    incoming: heard(connection.incoming)
  }
  return [wrapped, recording]
}
