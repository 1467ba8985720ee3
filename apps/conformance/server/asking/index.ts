import { elicitation } from "./elicitation.ts"
import { forms } from "./forms.ts"
import { prompt } from "./prompt.ts"
import { rounds } from "./rounds.ts"
import { sampling } from "./sampling.ts"
import { several } from "./several.ts"

/** What asks its client something before it answers: by requests of its own, or by results, as the client's era has it. */
export const features = [...elicitation, ...forms, ...sampling, ...several, ...rounds, prompt]
