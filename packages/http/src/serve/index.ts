export { at, pathOf } from "./at.ts"
export { type Address, hostsOf, type Listening, serve } from "./serve.ts"
export { type Served, serveAt } from "./serveAt.ts"
