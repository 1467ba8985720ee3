/** About how many bytes a JSON value takes: cheap, and never less than a third of its text for printable ASCII. */
export const weigh = (value: unknown): number => {
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return 9
  let total = 2
  if (Array.isArray(value)) {
    for (const item of value) total += weigh(item) + 1
    return total
  }
  for (const key in value) total += key.length + 4 + weigh((value as { readonly [key: string]: unknown })[key])
  return total
}
