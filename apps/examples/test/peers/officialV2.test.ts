import { officialV2 } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

visit(officialV2)
