import { Changes, Tool } from "@effective-mcp/server"
import * as Effect from "effect/Effect"

const WATCHED = "test://watched-resource"

/** Tools that tell of changes, without one. */
export const triggering = (changes: Changes.Changes) => [
  Tool.make("test_trigger_tool_change", {
    description: "Tells that the list of tools has changed",
    run: () => Effect.as(changes.publish(Changes.listChanged("tools")), "told")
  }),
  Tool.make("test_trigger_prompt_change", {
    description: "Tells that the list of prompts has changed",
    run: () => Effect.as(changes.publish(Changes.listChanged("prompts")), "told")
  }),
  Tool.make("touch", {
    description: `Tells that ${WATCHED} holds something else`,
    run: () => Effect.as(changes.publish(Changes.updated(WATCHED)), "told")
  })
]
