import { describe } from "@effect/vitest"
import { reference } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

describe.each(reference)("our client at $name", visit)
