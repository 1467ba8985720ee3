import { officialV1 } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

visit(officialV1)
