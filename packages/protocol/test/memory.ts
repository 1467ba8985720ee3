import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Bun's own, where there is one. */
declare const Bun: { readonly gc: (sync: boolean) => void } | undefined

const collector = (): (() => void) => {
  if (typeof Bun !== "undefined") return () => Bun.gc(true)
  setFlagsFromString("--expose-gc")
  return runInNewContext("gc") as () => void // cast: the flag has just put it there
}

const collect = collector()

/** MiB of memory that something still holds. */
export const held = (): number => {
  collect()
  return process.memoryUsage().heapUsed / 2 ** 20
}
