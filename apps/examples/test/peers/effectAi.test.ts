import { effectAi } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

visit(effectAi)
