import * as Data from "effect/Data"

/**
 * There is no such resource, or none that this caller may see. Each revision has its own code for it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
 */
export class ResourceNotFound extends Data.TaggedError("ResourceNotFound")<{ readonly uri: string }> {
  override get message(): string {
    return "Resource not found"
  }
}
