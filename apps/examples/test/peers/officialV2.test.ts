import { describe } from "@effect/vitest"
import { officialV2 } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

describe.each(officialV2)("our client at $name", visit)
