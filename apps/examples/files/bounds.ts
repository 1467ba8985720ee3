/** How much of a folder one call may see. */
export const bounds = {
  /** Bytes of a file that is read or searched. */
  fileBytes: 256 * 1024,
  /** UTF-16 units of a path that a client gives. */
  pathLength: 1_024,
  /** Entries of one walk, folders included. */
  entries: 5_000,
  /** Levels of folders that a walk goes down. */
  depth: 12,
  /** Entries that `list` gives out. */
  listed: 500,
  /** Matches that `search` gives out, unless it is asked for fewer. */
  matches: 50,
  /** UTF-16 units of the line around a match. */
  excerpt: 160
} as const
