/** As many characters of what a peer chose are kept where it is repeated. */
const MOST = 100

/** What only steers how a text is shown, or who reads it: a terminal obeys some of it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const PLAIN = /^[\w.:/@-]+$/

const escape = (unseen: string): string =>
  unseen
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("")

/** A text that a peer chose, where an error repeats it as data: as it is up to 100 characters, else cut. */
export const clip = (text: string): string => {
  if (text.length <= MOST) return text
  const last = text.charCodeAt(MOST - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return `${text.slice(0, isHalf ? MOST - 1 : MOST)}…`
}

/**
 * The same, where it stands in a sentence: a plain word as it is, anything else as a JSON string, in which nothing is
 * left that a terminal would obey.
 */
export const quote = (text: string): string => {
  const clipped = clip(text)
  return PLAIN.test(clipped) ? clipped : JSON.stringify(clipped).replace(UNSEEN, escape)
}
