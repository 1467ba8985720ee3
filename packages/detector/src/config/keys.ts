const MOST = 32

/** A name of a configuration as the key of a group may be: letters, digits and "-", a letter first. */
const keyOf = (name: string): string => {
  const plain = name
    .slice(0, 256)
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "")
    .slice(0, MOST)
  return plain === "" ? "server" : plain
}

/** A key for each name, in their order: the second of two that would be the same ends in `-2`. */
export const keysOf = (names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const taken = new Set<string>()
  /** The next number of each, so that many alike cost no more than a few. */
  const next = new Map<string, number>()
  return names.map((name) => {
    const plain = keyOf(name)
    let key = plain
    for (let n = next.get(plain.toLowerCase()) ?? 2; taken.has(key.toLowerCase()); n++) {
      key = `${plain.slice(0, MOST - String(n).length - 1)}-${n}`
      next.set(plain.toLowerCase(), n + 1)
    }
    taken.add(key.toLowerCase())
    return key
  })
}
