import { describe } from "@effect/vitest"
import { effectAi } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

describe.each(effectAi)("our client at $name", visit)
