import { type FileHandle, open, readlink } from "node:fs/promises"

/** Leads to what a handle has open and, as a link, says where that is now. No name is looked up for it. */
export const wayTo = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`

/** Whether this system has such ways, as Linux does: tried on a folder whose place is known. */
export const hasWays = async (real: string): Promise<boolean> => {
  let handle: FileHandle | undefined
  try {
    handle = await open(real)
    return (await readlink(wayTo(handle))) === real
  } catch {
    return false
  } finally {
    await handle?.close()
  }
}
