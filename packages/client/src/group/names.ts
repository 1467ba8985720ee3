import type { Content, ResourceContents } from "@effective-mcp/protocol"

/** What stands between the key of a server and a name: no key has it, so that a name says whose it is. */
const SEPARATOR = "_"

/** What stands between the key of a server and a URI. */
const PLUS = "+"

const KEY = /^[A-Za-z][A-Za-z0-9-]{0,31}$/

/** Refuses keys that could be taken for another, or that make no scheme of a URI. */
export const requireKeys = (keys: ReadonlyArray<string>): void => {
  const known = new Set<string>()
  for (const key of keys) {
    const same = key.toLowerCase()
    if (!KEY.test(key)) throw new Error(`a key has 1 to 32 letters, digits and "-", a letter first: ${key}`)
    if (known.has(same)) throw new Error(`two keys that differ in case alone: ${key}`)
    known.add(same)
  }
}

export interface Split {
  readonly key: string
  readonly rest: string
}

const splitAt =
  (separator: string) =>
  (text: string): Split | undefined => {
    const at = text.indexOf(separator)
    return at < 0 ? undefined : { key: text.slice(0, at), rest: text.slice(at + 1) }
  }

export const join = (key: string, name: string): string => `${key}${SEPARATOR}${name}`
export const split: (name: string) => Split | undefined = splitAt(SEPARATOR)

export const joinUri = (key: string, uri: string): string => `${key}${PLUS}${uri}`
export const splitUri: (uri: string) => Split | undefined = splitAt(PLUS)

/** What a server gives out, with its URIs as the group names them. */
export const inContents = <A extends ResourceContents>(key: string, contents: A): A => ({
  ...contents,
  uri: joinUri(key, contents.uri)
})

export const inContent = (key: string, content: Content): Content => {
  switch (content.type) {
    case "resource_link":
      return { ...content, uri: joinUri(key, content.uri) }
    case "resource":
      return { ...content, resource: inContents(key, content.resource) }
    default:
      return content
  }
}
