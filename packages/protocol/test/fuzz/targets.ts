import { codec } from "./codec.ts"
import { framer } from "./framer.ts"
import { frames } from "./frames.ts"
import { headerTarget } from "./headers.ts"
import { jsonSchema } from "./jsonSchema.ts"
import { meta } from "./meta.ts"
import type { Target } from "./Target.ts"
import { templates } from "./templates.ts"

export const targets: ReadonlyArray<Target> = [framer, frames, codec, meta, headerTarget, templates, jsonSchema]
