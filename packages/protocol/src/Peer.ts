/**
 * Reaches a peer over a duplex, and serves it: one engine for every wire that all messages share.
 *
 * - `make` tells exchanges apart, so that a pipe becomes a `Connection`.
 * - `serve` answers what the peer asks, with a `Handler`.
 * - `host` does both for a `Host`, whichever era its client opens.
 * - `local` reaches a `Host` in the same process.
 */
export { host } from "./peer/host.ts"
export { local } from "./peer/local.ts"
export { make, type Options } from "./peer/make.ts"
export { serve, type ServeOptions } from "./peer/serve.ts"
