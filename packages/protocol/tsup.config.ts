import base from "../../tsup.base.ts"

/**
 * Definitions that no codec needs are left out of the bundle: rollup sees across files that nothing depends on them. What
 * the entries share is a few plain functions, and stands in each of them: one file of its own less to load.
 */
export default { ...base, splitting: false, treeshake: true }
