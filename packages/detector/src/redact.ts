/** Shorter values say nothing, and would blot out words. */
const LEAST = 4
/** A word of a value that has several, such as a header of a scheme and a key; and what a cut has left of one. */
const LEAST_PART = 8
/** Longer values are hidden as a whole only. */
const SPLIT = 1_024

const encoded = (secret: string): string => (/^[ -~]*$/.test(secret) ? encodeURIComponent(secret) : secret)

const formsOf = (secret: string): ReadonlyArray<string> => {
  const words = secret.length > SPLIT ? [] : secret.split(/\s+/).filter((word) => word.length >= LEAST_PART)
  return [secret, ...words].flatMap((form) => [form, encoded(form), JSON.stringify(form).slice(1, -1)])
}

/** Where a text may have been cut before it came here: at its end, or where it says so. */
const cutsOf = (text: string): ReadonlyArray<number> => {
  const cuts = [text.length]
  for (let at = text.indexOf("…"); at >= 0 && cuts.length < 32; at = text.indexOf("…", at + 1)) cuts.push(at)
  return cuts
}

/** From where on a text, up to a cut, is the beginning of a form; undefined where it is not. */
const beginning = (text: string, cut: number, form: string): number | undefined => {
  const head = form.slice(0, LEAST_PART)
  for (let at = Math.max(0, cut - form.length + 1); ; at++) {
    at = text.indexOf(head, at)
    if (at < 0 || at > cut - LEAST_PART) return undefined
    if (form.startsWith(text.slice(at, cut))) return at
  }
}

/** Up to where a text is the end of a form; undefined where it is not. */
const ending = (text: string, form: string): number | undefined => {
  const tail = form.slice(-LEAST_PART)
  for (let at = text.indexOf(tail); at >= 0 && at < form.length - LEAST_PART; at = text.indexOf(tail, at + 1)) {
    const end = at + LEAST_PART
    if (form.endsWith(text.slice(0, end))) return end
  }
  return undefined
}

/** Hides what a cut has left of a form. */
const hideRest = (text: string, form: string): string => {
  if (form.length <= LEAST_PART) return text
  let rest = text
  if (text.includes(form.slice(0, LEAST_PART))) {
    // from the last on, so that those before it stay where they are
    for (const cut of [...cutsOf(rest)].sort((a, b) => b - a)) {
      const from = beginning(rest, cut, form)
      if (from !== undefined) rest = `${rest.slice(0, from)}***${rest.slice(cut)}`
    }
  }
  const end = ending(rest, form)
  return end === undefined ? rest : `***${rest.slice(end)}`
}

/**
 * What hides given values wherever a text repeats them: as they are, percent-encoded or as JSON has them, and what is left
 * of one where the text was cut. The longest go first.
 */
export const redacting = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  const hidden = [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length >= LEAST)
    .sort((a, b) => b.length - a.length)
  return (text) => {
    const whole = hidden.reduce((rest, form) => rest.replaceAll(form, "***"), text)
    return hidden.reduce(hideRest, whole)
  }
}

/** A reason, all texts of which have gone through a function. */
export const throughout = <A extends { readonly _tag: string }>(reason: A, hide: (text: string) => string): A => {
  const entries = Object.entries(reason).map(([name, value]): readonly [string, unknown] => {
    if (Array.isArray(value)) return [name, value.map((one: unknown) => (typeof one === "string" ? hide(one) : one))]
    return [name, name === "_tag" || typeof value !== "string" ? value : hide(value)]
  })
  return Object.fromEntries(entries) as unknown as A // cast: the members of a reason, with other texts
}
