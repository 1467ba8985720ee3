import type { Readable, Writable } from "node:stream"
import { limits, type ProcessExit, type TransportError } from "@effective-mcp/protocol"
import { requireCounts } from "@effective-mcp/protocol/Limits"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Command } from "./command.ts"
import { type Group, group } from "./group.ts"
import { lastWords, type Listener } from "./lastWords.ts"
import { launch, type Launched } from "./launch.ts"
import { stderrLines } from "./stderrLines.ts"

/** A process that runs. */
export interface Child {
  readonly pid: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly group: Group
  readonly exit: () => ProcessExit | undefined
  readonly exited: Effect.Effect<void>
  /** Completes when it has exited and all that it said has been read. */
  readonly over: Effect.Effect<void>
  /** Whoever has found out that it is not there any more says so in place of the system, which tells no exit then. */
  readonly presumeDead: () => void
  /** The last of its standard error; empty where that is not ours to read. */
  readonly lastWords: () => string
  /** Lets go of its streams, which a process of another group may still hold. */
  readonly release: () => void
}

const ignore = (): void => {}

const listenerOf = (stderr: Command["stderr"]): Listener | undefined => {
  if (typeof stderr === "function") return { onText: stderr }
  return typeof stderr === "object" ? stderrLines(stderr.onLine) : undefined
}

/** What bounds a connection, before anything is started that it would leave behind. */
const requireBounds = ({ depth, mailbox, mailboxBytes, messageBytes, unread }: Command): void => {
  const bounds = Object.entries({ depth, mailbox, mailboxBytes, messageBytes, unread })
  requireCounts(Object.fromEntries(bounds.flatMap(([name, bound]) => (bound === undefined ? [] : [[name, bound]]))))
}

/** Starts a process, and listens to its standard error at once. Not to be interrupted. A bound that is no count throws. */
export const start = (command: Command): Effect.Effect<Child, TransportError> =>
  Effect.suspend(() => {
    requireBounds(command)
    return launch(command, adopt(command))
  })

const adopt =
  (command: Command) =>
  ({ pid, process, stderr, stdin, stdout }: Launched): Child => {
    const exited = Deferred.makeUnsafe<void>()
    const over = Deferred.makeUnsafe<void>()
    const members = group(pid)
    let exit: ProcessExit | undefined
    const leave = (): void => {
      members.leave()
      Deferred.doneUnsafe(exited, Effect.void)
    }
    process.on("exit", (code, signal) => {
      exit = { code, signal }
      leave()
    })
    process.on("close", () => Deferred.doneUnsafe(over, Effect.void))
    // what the last write meets once nobody listens any more
    stdin.on("error", ignore)
    stdout.on("error", ignore)
    return {
      pid,
      stdin,
      stdout,
      group: members,
      exit: () => exit,
      exited: Deferred.await(exited),
      over: Deferred.await(over),
      presumeDead: leave,
      lastWords:
        stderr === null
          ? () => ""
          : lastWords(stderr, command.stderrBytes ?? limits.stderrBytes, listenerOf(command.stderr)),
      release: () => {
        for (const stream of [stdin, stdout, stderr]) stream?.destroy()
      }
    }
  }
