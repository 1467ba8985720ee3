import { type Client, Tools } from "@effective-mcp/client"
import { Server, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ConnectTargetError } from "../../src/ConnectTargetError.ts"

/** A server with one tool that has its name. */
export const named = (name: string) =>
  Server.make({ name, version: "1.0.0" }, [Tool.make(name, { run: () => Effect.succeed(name) })])

export const toolsOf = (client: Client.Client): Effect.Effect<ReadonlyArray<string>> =>
  Stream.runCollect(Tools.all(client)).pipe(
    Effect.map((tools) => tools.map(({ name }) => name)),
    Effect.orDie
  )

/** The failure of connecting, which is a bug if it takes 15 s, or connects. */
export const failure = <A, R>(
  connecting: Effect.Effect<A, ConnectTargetError, R>
): Effect.Effect<ConnectTargetError, never, R> =>
  Effect.flip(connecting).pipe(
    Effect.timeout("15 seconds"),
    Effect.catch((unexpected) => Effect.die(unexpected))
  )
