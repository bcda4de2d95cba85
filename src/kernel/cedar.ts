/**
 * The policy engine, loaded when a policy is first looked at: half a second and 60 MiB that not every process needs. The
 * optimizing compiler is kept away from code that only runs while policies are read: what it made of that cost ten
 * times the reading itself. Decisions get it once some thousand have been made.
 */
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

let loaded: Cedar | null = null

export function cedar(): Cedar {
  if (loaded === null) {
    setFlagsFromString('--wasm-tiering-budget=200000000')
    loaded = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs') as Cedar
  }
  return loaded
}
