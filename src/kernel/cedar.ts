/**
 * The policy engine, loaded when a policy is first looked at: half a second and 60 MiB that not every process needs. The
 * optimizing compiler is kept away from code that only runs while policies are read: what it made of that cost ten
 * times the reading itself. Decisions get it once some thousand have been made.
 *
 * Calls into it are not inlined: when Node.js 20 and 22 throw optimized code away while it is in such a call that gives an
 * object back, the process dies ("unreachable code" in Deoptimizer::DoComputeBuiltinContinuation), after some thousand
 * documents.
 */
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'

export type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

const require = createRequire(import.meta.url)
const name = '@cedar-policy/cedar-wasm/nodejs'
let loaded: Cedar | null = null

export function cedar(): Cedar {
  if (loaded === null) {
    setFlagsFromString('--wasm-tiering-budget=200000000')
    setFlagsFromString('--no-turbo-inline-js-wasm-calls')
    loaded = require(name) as Cedar
  }
  return loaded
}

/** A call that was cut off inside leaves its memory in disorder: the next one gets an engine of its own. */
export function replaceCedar(): void {
  delete require.cache[require.resolve(name)]
  loaded = null
}
