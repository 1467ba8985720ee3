import { expect, layer as within } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { absent, type Lack, type Revision, type Server } from "./others.ts"
import { type Feature, steps } from "./steps.ts"
import * as Visit from "./Visit.ts"

/** How long one step may take, in ms. */
const limitMs = 8_000

const features = Object.keys(steps) as ReadonlyArray<Feature> // cast: their own keys

const has = (lacks: ReadonlyArray<Lack>, feature: Feature, revision: Revision): boolean =>
  !lacks.some(({ features, revisions }) => features.includes(feature) && (revisions ?? [revision]).includes(revision))

/** What was started, for all who visit it. */
class Started extends Context.Service<Started, Effect.Success<Server["start"]>>()("examples/Started") {}

/** The same steps in each revision that a server speaks; the newest is found out, the others are asked for. */
export const visit = ({ lacks, revisions, start, words }: Server): void =>
  within(Layer.effect(Started, start), { excludeTestServices: true })((it) => {
    for (const revision of revisions) {
      const pinned = revision === revisions.at(-1) ? undefined : revision
      it.layer(Visit.layer(Started, words, pinned))(revision, (it) => {
        it.effect("comes to terms", () =>
          Effect.map(Visit.Visiting, ({ client }) => expect(client.revision).toBe(revision))
        )
        for (const feature of features) {
          if (!has([...absent, ...lacks], feature, revision)) continue
          it.effect(feature, () =>
            Effect.flatMap(Visit.Visiting, (visit) => Effect.timeout(steps[feature](visit), limitMs))
          )
        }
      })
    }
  })
