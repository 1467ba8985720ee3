import * as Effect from "effect/Effect"
import type { Duplex } from "../Connection.ts"
import { onPipe } from "../era/onPipe.ts"
import type { Host } from "../Host.ts"
import type { TransportError } from "../TransportError.ts"
import { make, type Options } from "./make.ts"
import { serve, type ServeOptions } from "./serve.ts"

/** Hosts a server on a pipe, for a client of either era, until the pipe ends. */
export const host = <R>(
  duplex: Duplex,
  server: Host<R>,
  options: Omit<Options, "answerMalformed"> & ServeOptions = {}
): Effect.Effect<void, TransportError, R> =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* make(duplex, { ...options, answerMalformed: true })
      yield* serve(client, yield* onPipe(server, client), options)
    })
  )
