/**
 * Migrations 0001 to 0010 are a baseline: the whole schema, one file a subject. The files that stood there before it made
 * the same schema under other names. A database they made is adopted: its register then says that the baseline is
 * applied, and nothing else of it changes.
 */

import { StartupError } from '../../platform/errors.js'

export const lastOfBaseline = 10

/** Name and SHA-256 of the files before the baseline. */
const before = new Map([
  ['0001_foundation', 'fc492886a1de0ec0119f27fb683813a7fc981a2f4b2819a119cefa0edaf89072'],
  ['0002_ingest', 'e170d7d9d531d28eb71c5a3f5a3a2aa874932bc3bca9fcf698ca110b22d718db'],
  ['0003_pipeline', '2ab096667673124eed398342d6cb56c3ce0e23c3d2e28b53d106fd11565f634d'],
  ['0004_hatchery', 'adafabfed4a3adbe6e77274a5c58226cb7b7ef2b8212ebf2e252ac8ca80268c8'],
  ['0005_scopes', 'b221bdb8db1630c79c7ed77b57e1cfd2e6a26385eaea01487d186f621c461068'],
  ['0007_text_retention', '6fa0a94c3a0b894f23b6fe1bf6bbb5f2594b19bf9dc5d190598d6471b18dc761'],
  ['0008_lease_owner', '0f5e5be5a9145a6b035aa45d078d8c42748c65b5364b03d6361f3e3c0ec312c4'],
])

/** SHA-256 of the one file that was rewritten after databases had taken it: to work in batches, with the same outcome. */
const rewritten = new Map([['0031_slot_hash', '55f598e4ea1833186577bb76364c3d43c6352d74c9cd6c3cf9e4111b51ce7e21']])

/** What a database that took this migration before its file was rewritten has on record. */
export function earlierForm({ name }: { name: string }): string | undefined {
  return rewritten.get(name)
}

/** Whether the files before the baseline made this schema; throws when only some of them were applied. */
export function isFromBeforeBaseline(applied: readonly { name: string; checksum: string }[]): boolean {
  const recognised = applied.filter(({ name, checksum }) => before.get(name) === checksum)
  if (recognised.length === 0) return false
  if (recognised.length === before.size && applied.length === before.size) return true
  throw new StartupError(
    `The database is at migration ${applied.at(-1)?.name} of a version before the baseline, which this version takes over from ${[...before.keys()].at(-1)} alone. Start the last version before the baseline once, then this one.`,
  )
}
