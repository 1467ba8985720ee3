import base from "../../tsup.base.ts"

/** Named in full: a single entry would land at the top of `dist`. */
export default { ...base, entry: { "server/index": "src/server/index.ts" } }
