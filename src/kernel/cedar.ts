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

const name = '@cedar-policy/cedar-wasm/nodejs'
let loaded: Cedar | null = null

export function cedar(): Cedar {
  if (loaded === null) {
    setFlagsFromString('--wasm-tiering-budget=200000000')
    setFlagsFromString('--no-turbo-inline-js-wasm-calls')
    loaded = createRequire(import.meta.url)(name) as Cedar
  }
  return loaded
}

/** Null for what was cut off inside, which leaves the engine's memory in disorder: the next call gets an engine of its own. */
export function orReplace<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof WebAssembly.RuntimeError)) throw error
    // Made anew each time: one that stays would hold on to every engine it ever loaded.
    const require = createRequire(import.meta.url)
    delete require.cache[require.resolve(name)]
    loaded = null
    return null
  }
}
