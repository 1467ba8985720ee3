/** How one address answered one probe. */
export type Answer =
  | {
      readonly status: number
      /** Those that say something of what is there. */
      readonly headers: { readonly [name: string]: string }
      /** As much as came in a while, of 8 KiB. */
      readonly body: string
      /** Whether more could have come. */
      readonly isOpen?: true
    }
  /** Nothing came, or the connection broke. */
  | { readonly fails: "Silent" | "Closed" }

/** What one address answers to all that it may be asked, whether it then is or not. */
export interface Entry {
  readonly name: string
  readonly answers: { readonly [sent: string]: Answer }
}
