/** Shorter values say nothing, and would blot out words. */
const LEAST = 4
/** A word of a value that has several, such as a header of a scheme and a key. */
const LEAST_WORD = 8
/** Longer values are hidden as a whole only. */
const SPLIT = 1_024

const encoded = (secret: string): string => (/^[ -~]*$/.test(secret) ? encodeURIComponent(secret) : secret)

const formsOf = (secret: string): ReadonlyArray<string> => {
  const words = secret.length > SPLIT ? [] : secret.split(/\s+/).filter((word) => word.length >= LEAST_WORD)
  return [secret, ...words].flatMap((form) => [form, encoded(form)])
}

/** What hides given values wherever a text repeats them, as they are or percent-encoded; the longest go first. */
export const redacting = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  const hidden = [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length >= LEAST)
    .sort((a, b) => b.length - a.length)
  return (text) => hidden.reduce((rest, form) => rest.replaceAll(form, "***"), text)
}
