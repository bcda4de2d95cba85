/** The keys of the admin and internals tiers: compared by SHA-256 in constant time, several at once for rotation. */

import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../platform/digest.js'

export type KeyTier = 'admin' | 'internals'

export type TierKeys = ReturnType<typeof createTierKeys>

export function createTierKeys(keys: { admin: readonly string[]; internals: readonly string[] }) {
  const known = [
    ...keys.internals.map(key => ({ tier: 'internals' as const, hash: sha256(key) })),
    ...keys.admin.map(key => ({ tier: 'admin' as const, hash: sha256(key) })),
  ]
  return {
    /** Whether any key reaches the tier. */
    enabled: (tier: KeyTier) => known.some(key => key.tier === 'internals' || key.tier === tier),
    /** The tier of the key, and a fingerprint that may be written down. */
    recognise(key: string): { tier: KeyTier; fingerprint: string } | undefined {
      const hash = sha256(key)
      // Every key is compared, so that the time does not tell which one came close.
      const matches = known.filter(candidate => timingSafeEqual(candidate.hash, hash))
      const match = matches[0]
      return match && { tier: match.tier, fingerprint: `${match.tier}:${match.hash.toString('hex').slice(0, 12)}` }
    },
  }
}
