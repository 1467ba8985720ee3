/** Whether what a server names may be sent what it may be sent itself: the same scheme, host and port, and nobody's name in it. */
export const isSameOrigin = (to: URL, from: URL): boolean =>
  // a blob: address has the origin of whoever made it
  to.protocol === from.protocol && to.origin === from.origin && to.username === "" && to.password === ""

/** The origin of an address as errors show it: without what may be a secret. */
export const shownOrigin = ({ origin, protocol }: URL): string =>
  origin === "null" || protocol === "blob:" ? protocol : origin
