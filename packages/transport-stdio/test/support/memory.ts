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

/** MiB that something still holds, bytes beside the heap among them. */
export const held = (): number => {
  // the second waits until the first has given back the bytes
  collect()
  collect()
  const { external, heapUsed } = process.memoryUsage()
  return (external + heapUsed) / 2 ** 20
}
