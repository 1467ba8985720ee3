import { describe } from "@effect/vitest"
import { officialV1 } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

describe.each(officialV1)("our client at $name", visit)
