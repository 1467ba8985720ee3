import base from "../../tsup.base.ts"

/** Definitions that no codec needs are left out of the bundle: rollup sees across files that nothing depends on them. */
export default { ...base, treeshake: true }
