import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

const fences = [...text("../../../docs/transport-from-scratch.md").matchAll(/^```ts[^\n]*\n(.*?)^```$/gms)].map(
  ([, code]) => code
)

it("the guide shows the transport, its test and a wire with faults as they are", () => {
  expect(fences).toStrictEqual([text("WebSocket.ts"), text("websocket.test.ts"), text("overPair.ts")])
})
