/** A program's address of a server as requests have it; undefined for one that no request can be sent to. */
export const addressOf = (given: string | URL): string | undefined => {
  const url = URL.parse(String(given))
  if (url === null) return undefined
  const isUsable = /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  url.hash = ""
  return isUsable ? url.href : undefined
}
