/** The value of an exploded variable: a list, or a map where the URI has `key=value` pairs. */
type Exploded = ReadonlyArray<string> | ReadonlyMap<string, string>

/** One variable as its expression writes it: `name`, `name*`, `name:3`. */
type Variable<V extends string> = V extends `${infer N}*`
  ? { readonly [K in N]: Exploded }
  : V extends `${infer N}:${string}`
    ? { readonly [K in N]: string }
    : { readonly [K in V]: string }

type AllOf<L extends string> = L extends `${infer V},${infer Rest}` ? Variable<V> & AllOf<Rest> : Variable<L>

/** The first variable is there, those after it may be absent. */
type FirstOf<L extends string> = L extends `${infer V},${infer Rest}` ? Variable<V> & Partial<AllOf<Rest>> : Variable<L>

type Expression<E extends string> = E extends `${"/" | "?" | "&" | ";" | "." | "#"}${infer L}`
  ? Partial<AllOf<L>>
  : E extends `+${infer L}`
    ? FirstOf<L>
    : FirstOf<E>

type Collected<T extends string> = T extends `${string}{${infer E}}${infer Rest}`
  ? Expression<E> & Collected<Rest>
  : unknown

/**
 * What a URI says of a template's variables, read off the template's own text. A variable that the URI may do without
 * is optional; of a text that is not known every member may be there.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
export type Variables<T extends string> = string extends T
  ? { readonly [name: string]: string | Exploded }
  : { readonly [K in keyof Collected<T>]: Collected<T>[K] }
