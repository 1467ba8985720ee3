import type { AnyMethod } from "../model/methods.ts"
import { legacy, modern } from "./registry.ts"
import type { Revision } from "./Revision.ts"

/** Who says a method: a client, a server, or a server inside a result that asks for input. */
export type Direction = "client" | "server" | "inputRequired"

/** Where one method exists: for each revision that has it, who says it there. */
export interface MethodRow {
  readonly kind: "request" | "notification"
  readonly revisions: { readonly [version: string]: ReadonlyArray<Direction> }
}

type Rows = { [M in AnyMethod]?: { kind: MethodRow["kind"]; revisions: { [version: string]: Array<Direction> } } }

const add = (rows: Rows, kind: MethodRow["kind"], table: object, version: string, direction: Direction): void => {
  // cast: the tables of a revision have no other keys
  for (const method of Object.keys(table) as Array<AnyMethod>) {
    const row = (rows[method] ??= { kind, revisions: {} })
    const directions = (row.revisions[version] ??= [])
    directions.push(direction)
  }
}

const addAll = (
  rows: Rows,
  { inputRequired, methods, notifications, openings, questions, version }: Revision
): void => {
  const both = openings.ping === undefined ? {} : { ping: openings.ping }
  add(rows, "request", openings, version, "client")
  add(rows, "request", methods, version, "client")
  add(rows, "request", { ...both, ...questions }, version, inputRequired === undefined ? "server" : "inputRequired")
  add(rows, "notification", notifications.fromClient, version, "client")
  add(rows, "notification", notifications.fromServer, version, "server")
}

/**
 * Every request and notification of every revision, newest revision first, as the revisions' own tables have them.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
export const methodTable = (): { readonly [M in AnyMethod]: MethodRow } => {
  const rows: Rows = {}
  for (const revision of [...modern, ...legacy]) addAll(rows, revision)
  return rows as { readonly [M in AnyMethod]: MethodRow } // cast: each method is in some revision, which a test holds
}
