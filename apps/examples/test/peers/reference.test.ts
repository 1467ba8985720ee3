import { reference } from "../../peers/others.ts"
import { visit } from "../../peers/suite.ts"

visit(reference)
