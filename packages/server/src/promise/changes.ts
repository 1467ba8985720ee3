import * as Effect from "effect/Effect"
import * as Base from "../Changes.ts"

/** Where the changes of a server are told, the option `changes` of `server`: each function tells one. */
export interface Changes extends Base.Changes {
  /** That a list is not what it was. */
  readonly listChanged: (list: Base.List) => Promise<void>
  /** That a resource holds something else than before. */
  readonly updated: (uri: string) => Promise<void>
}

/**
 * Changes within this process.
 *
 * ```ts
 * import { changes, resource, server } from "@effective-mcp/server/promise"
 *
 * let count = 0
 * const changed = changes()
 * const counter = resource("counter://now", { read: () => `${count}` })
 * export const counting = server({ name: "counter", version: "1.0.0" }, [counter], { changes: changed })
 *
 * export const increment = async () => {
 *   count++
 *   await changed.updated("counter://now")
 * }
 * ```
 */
export const changes = (): Changes => {
  const base = Base.make()
  return {
    ...base,
    listChanged: (list) => Effect.runPromise(base.publish(Base.listChanged(list))),
    updated: (uri) => Effect.runPromise(base.publish(Base.updated(uri)))
  }
}
