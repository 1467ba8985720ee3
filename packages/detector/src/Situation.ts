import * as Effect from "effect/Effect"
import type { ServerOptions } from "./ConnectOptions.ts"
import type { Server } from "./config/Server.ts"
import type { Kind } from "./transportOf.ts"

/** What is known of a server before it is reached, and says what may help when it cannot be. */
export interface Situation {
  readonly isProgram: boolean
  /** What the program said is spoken there, so that it was not found out. */
  readonly wire?: Kind
  /** Whether it is sent something that says who calls. */
  readonly isSignedIn: boolean
}

const CREDENTIAL = /auth|key|token|cookie|secret/i

const isSignedIn = (headers: ServerOptions["headers"] = {}): boolean =>
  Effect.isEffect(headers) || Object.keys(headers).some((name) => CREDENTIAL.test(name))

export const situationOf = (
  { place }: Server,
  { apiKey, headers, wire }: Pick<ServerOptions<unknown>, "apiKey" | "headers" | "wire">
): Situation => {
  if (place._tag === "Program") return { isProgram: true, isSignedIn: false }
  const named = wire ?? place.wire
  return {
    isProgram: false,
    isSignedIn: apiKey !== undefined || isSignedIn(headers) || isSignedIn(place.headers),
    ...(named === undefined ? {} : { wire: named })
  }
}
