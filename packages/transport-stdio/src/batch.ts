/** A batch file (`npx.cmd`), which Windows starts through `cmd.exe` only. */
export const isBatch = (file: string): boolean => /\.(cmd|bat)$/i.test(file)

/** Whether something can be an argument of a batch file: a line break would end the command, and cannot be quoted. */
export const isSafe = (arg: string): boolean => !/[\r\n\0]/.test(arg)

/** A reference that expands to nothing and leaves a percent sign that begins no other. */
const PERCENT = "%%cd:~,%"

/**
 * Quotes an argument so that `cmd.exe` reads no part of it, however often: not when it starts the batch file, nor when
 * the file hands `%*` on to a program. Inner quotes are doubled, as both `cmd.exe` and the C runtime understand them,
 * so that everything stays within quotes.
 */
const quote = (arg: string): string =>
  `"${arg
    .replace(/(?<!\\)(\\*)"/g, '$1$1""')
    .replace(/(?<!\\)\\+$/, "$&$&")
    .replaceAll("%", PERCENT)}"`

/**
 * The arguments for `cmd.exe` that start a batch file: verbatim, as one command line. The extensions are on for the
 * percent signs, and delayed expansion is off for exclamation marks.
 */
export const batchArgs = (file: string, args: ReadonlyArray<string>): Array<string> => [
  "/e:on",
  "/v:off",
  "/d",
  "/s",
  "/c",
  `"${[file, ...args].map(quote).join(" ")}"`
]
