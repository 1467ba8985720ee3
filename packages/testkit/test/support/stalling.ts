/** A body that stalls once some of it has been taken. */
export const stalling = (bytes: number) => {
  let resolve = (): void => {}
  const taken = new Promise<void>((done) => (resolve = done))
  let isBegun = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (isBegun) return resolve()
        isBegun = true
        controller.enqueue(new Uint8Array(bytes))
      }
    },
    { highWaterMark: 0 }
  )
  return { body, taken }
}
