import { type Connection, JsonRpc } from "@effective-mcp/protocol"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { equal } from "../Mismatch.ts"
import { type Clause, deaf, expectResult } from "./Clause.ts"

const { request, success } = JsonRpc

/** Answers a question wherever the wire lets it be heard: in its exchange, or outside any. */
const answering = (peer: Connection) => (said: JsonRpc.Notification | JsonRpc.Request) =>
  "id" in said
    ? Effect.ignore(peer.send(success(said.id, { asked: said.method, about: said.params?.about })))
    : Effect.void

/** Where the wire has a way back, the host speaks to its client. */
export const asking: ReadonlyArray<Clause> = [
  {
    name: "carries a question back in the middle of a request",
    needs: "asking",
    check: Effect.fnUntraced(function* ({ peer }) {
      const answer = answering(peer)
      yield* Effect.forkScoped(Stream.runForEach(Stream.fromPull(peer.incoming), answer))
      for (const id of [1, "2", 0]) {
        const asked = request(id, "ask", { about: id })
        yield* expectResult(peer, asked, { asked: "question", about: id }, answer)
      }
    })
  },
  {
    name: "hears what is said outside any exchange",
    needs: "announcing",
    check: Effect.fnUntraced(function* ({ peer }) {
      const heard = yield* Deferred.make<unknown>()
      yield* Effect.forkScoped(
        Stream.runForEach(Stream.fromPull(peer.incoming), (said) => Deferred.succeed(heard, said))
      )
      let id = 0
      // a wire may lose what is said before anybody listens, so it is said until it is heard
      const announce = Effect.suspend(() => peer.exchange(request(++id, "announce", { text: "news" }), deaf))
      const said = yield* Effect.raceFirst(Deferred.await(heard), Effect.forever(announce))
      yield* equal(said, JsonRpc.notification("notifications/announcement", { text: "news" }), "what is heard")
    })
  }
]
