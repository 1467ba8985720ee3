import type { Socket } from "node:net"
import type { Strike, Way } from "../contract/Wire.ts"

/** What may befall one piece of bytes on one connection. */
export type Blow = Exclude<Strike, "expire">

/** What a link asks of whoever has all of them. */
export interface Above {
  /** What befalls this piece. */
  readonly choose: (
    link: Link,
    way: Way,
    piece: Buffer
  ) => { readonly blow: Blow; readonly isAll: boolean; readonly ms: number } | undefined
  /** Whether each piece that comes back is a message of its own. */
  readonly isEvents: boolean
  readonly all: (blow: "reset" | "blackHole" | "crash") => void
  readonly onEnd: (link: Link) => void
}

const HEAD_END = Buffer.from("\r\n\r\n")

/** The first half of what follows the head of an HTTP message, or of all where there is none; undefined for a mere head. */
const halfOf = (piece: Buffer): Buffer | undefined => {
  const at = piece.indexOf(HEAD_END)
  const from = at < 0 ? 0 : at + HEAD_END.length
  return from === piece.length ? undefined : piece.subarray(0, from + ((piece.length - from) >> 1))
}

/** Breaks a connection so that its other end notices. */
const breakOff = (socket: Socket): void => {
  if (socket.destroyed) return
  // not every runtime can say RST; the end of it says nearly as much
  if (typeof socket.resetAndDestroy === "function") socket.resetAndDestroy()
  else socket.destroy()
}

/** One connection of a client, and the one to the server that it stands for. */
export class Link {
  private readonly client: Socket
  private server: Socket | undefined
  private readonly above: Above
  private readonly silent = { request: false, response: false }
  private isHole = false
  /** Whether the client has let go of it. */
  isLeft = false
  private readonly timers = new Set<ReturnType<typeof setTimeout>>()
  readonly number: number

  constructor(number: number, client: Socket, above: Above) {
    this.number = number
    this.client = client
    this.above = above
    client.setNoDelay(true)
    client.on("error", () => this.reset())
    client.on("close", () => {
      this.isLeft = true
      this.server?.destroy()
      above.onEnd(this)
    })
  }

  /** Begins to carry both ways. */
  join(server: Socket): void {
    if (this.client.destroyed || this.isHole) {
      server.destroy()
      return
    }
    this.server = server
    server.setNoDelay(true)
    server.on("error", () => this.broken())
    server.on("close", () => {
      if (!this.isHole) this.client.end()
    })
    this.pump(this.client, server, "request")
    this.pump(server, this.client, "response")
  }

  /** Breaks it, both ways. */
  reset(): void {
    for (const timer of this.timers) clearTimeout(timer)
    breakOff(this.client)
    if (this.server !== undefined) breakOff(this.server)
  }

  /** Takes all from now on, and gives nothing, not even its end. */
  swallow(): void {
    this.isHole = true
    this.client.resume()
    this.server?.resume()
    this.client.on("end", () => {
      this.isLeft = true
    })
  }

  private broken(): void {
    if (this.isHole) return
    this.reset()
  }

  private pump(from: Socket, to: Socket, way: Way): void {
    from.on("data", (piece: Buffer) => this.carry(piece, from, to, way))
    from.on("end", () => {
      if (!this.isHole) to.end()
      if (way === "request") this.isLeft = true
    })
  }

  private pass(piece: Buffer, from: Socket, to: Socket): void {
    if (to.destroyed || to.writableEnded || to.write(piece)) return
    from.pause()
    to.once("drain", () => from.resume())
  }

  private carry(piece: Buffer, from: Socket, to: Socket, way: Way): void {
    if (this.isHole || this.silent[way]) return
    const chosen = this.above.choose(this, way, piece)
    switch (chosen?.blow) {
      case undefined:
        return this.pass(piece, from, to)
      case "crash":
        return this.above.all("crash")
      case "reset":
        return chosen.isAll ? this.above.all("reset") : this.reset()
      case "blackHole":
        return chosen.isAll ? this.above.all("blackHole") : this.swallow()
      case "drop":
        this.silent[way] = way === "request" || !this.above.isEvents
        return
      case "duplicate":
        this.pass(piece, from, to)
        return this.pass(piece, from, to)
      case "half":
        return this.cut(piece, from, to, way)
      case "delay": {
        from.pause()
        const timer = setTimeout(() => {
          this.timers.delete(timer)
          if (!this.isHole) this.pass(piece, from, to)
          from.resume()
        }, chosen.ms)
        this.timers.add(timer)
      }
    }
  }

  /** A head alone passes: what it announces is what is cut. */
  private cut(piece: Buffer, from: Socket, to: Socket, way: Way): void {
    const half = halfOf(piece)
    if (half === undefined) {
      this.pass(piece, from, to)
      from.removeAllListeners("data").on("data", (next: Buffer) => {
        if (!this.silent[way] && !this.isHole) this.cut(next, from, to, way)
      })
      return
    }
    this.silent[way] = true
    to.end(half, () => breakOff(from))
  }
}
