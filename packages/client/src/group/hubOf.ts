import { type Heard, type Hub, make } from "../Hub.ts"
import type { Member } from "./Member.ts"
import { joinUri } from "./names.ts"

/** What one server says, with its URIs and its loggers as the group names them. */
export const inGroup = (key: string, heard: Heard): Heard => {
  if (heard._tag === "Updated") return { ...heard, uri: joinUri(key, heard.uri) }
  if (heard._tag !== "Logged") return heard
  const { logger } = heard.message
  return { ...heard, message: { ...heard.message, logger: logger === undefined ? key : `${key}/${logger}` } }
}

/** Tells what each of several servers says. They are followed for as long as somebody listens. */
export const hubOf = (members: ReadonlyArray<Member>): Hub => {
  const hub = make()
  let listeners = 0
  let stops: ReadonlyArray<() => void> = []
  const open = (): void => {
    if (listeners++ > 0) return
    let left = members.length
    stops = members.map(({ key, session }) =>
      session.hub.follow(
        (heard) => hub.tell(inGroup(key, heard)),
        () => {
          if (--left === 0) hub.end()
        }
      )
    )
  }
  const close = (): void => {
    if (--listeners > 0) return
    for (const stop of stops) stop()
    stops = []
  }
  const want = (): void => {
    for (const { session } of members) session.hub.want()
  }
  const follow: Hub["listen"] = (hear, onEnd) => {
    open()
    const stop = hub.listen(hear, onEnd)
    let isOn = true
    return () => {
      if (!isOn) return
      isOn = false
      stop()
      close()
    }
  }
  return {
    ...hub,
    want,
    onHeard: follow,
    follow,
    listen: (hear, onEnd) => {
      want()
      return follow(hear, onEnd)
    }
  }
}
