import { type Heard, type Hub, make } from "../Hub.ts"
import type { Member } from "./Member.ts"
import { joinUri } from "./names.ts"

/** What one server says, with its URIs as the group names them. */
export const inGroup = (key: string, heard: Heard): Heard =>
  heard._tag === "Updated" ? { ...heard, uri: joinUri(key, heard.uri) } : heard

/** Tells what each of several servers says. They are listened to from when somebody first listens. */
export const hubOf = (members: ReadonlyArray<Member>): Hub => {
  const hub = make()
  let isOpen = false
  const open = (): void => {
    if (isOpen) return
    isOpen = true
    let left = members.length
    for (const { key, session } of members) {
      const onHeard = (heard: Heard): void => hub.tell(inGroup(key, heard))
      session.hub.follow(onHeard, () => {
        if (--left === 0) hub.end()
      })
    }
  }
  const want = (): void => {
    for (const { session } of members) session.hub.want()
  }
  return {
    ...hub,
    want,
    onHeard: (hear) => {
      open()
      return hub.onHeard(hear)
    },
    listen: (hear, onEnd) => {
      open()
      want()
      return hub.listen(hear, onEnd)
    }
  }
}
