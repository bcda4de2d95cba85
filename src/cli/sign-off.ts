/** `concord sign-off`: a person says that a case was examined, or takes that back. */

import type { Client } from '../client/client.js'
import { finalityWords } from '../contract/field-words.js'
import { leftOpenWords } from '../contract/finding-words.js'
import type { Schema } from '../contract/types.js'
import { type AddCommand, collect } from './command.js'
import { CommandError, exitCodes } from './command-error.js'
import { documentIn } from './meant-by.js'
import { printable } from './text-layout.js'

/** As many of the newest as are looked at for one that still stands. */
const mostLookedAt = 100

export const addSignOff: AddCommand = program => {
  const signOff = program
    .command('sign-off')
    .description('say that you examined a case as it stands')
    .examples(
      'concord sign-off case-1 --reason "I read every paper."',
      'concord sign-off case-1 --reason "Read." --set-aside scan-3="A photograph." --read-by-eye plan-7="It repeats the sums."',
      'concord sign-off list case-1',
      'concord sign-off withdraw case-1 sgn_… --reason "Signed the wrong case."',
    )
  signOff
    .command('add <case>', { isDefault: true })
    .description('sign it off')
    .examples('concord sign-off case-1 --reason "I read every paper."')
    .option('--read-by-eye <document=why>', 'a document that was not read here and that you read yourself; repeatable', collect, [])
    .option('--set-aside <document=why>', 'a document that was not read here and that the case does not rest on; repeatable', collect, [])
    .decides(
      { keptWith: 'sign-off', who: 'who signs' },
      async (client, said, scopeId: string, { readByEye, setAside }: { readByEye: string[]; setAside: string[] }) => {
        const given = [...readByEye.map(each => named(each, 'read_by_eye')), ...setAside.map(each => named(each, 'set_aside'))]
        const unread = await Promise.all(
          given.map(async ({ document, ...each }) => ({ ...each, document_id: (await documentIn(client, scopeId, document)).document_id })),
        )
        return client.signOff(scopeId, { ...said, ...(unread.length === 0 ? {} : { unread }) })
      },
      ({ sign_off_id: id, by, vouched, covers, finality }) => {
        const name = `${printable(by)}${vouched ? '' : ' (name given with a key)'}`
        const papers = `${covers.documents.count} document${covers.documents.count === 1 ? '' : 's'}`
        return `${id}: signed off by ${name}, ${[papers, leftOpenWords(covers.left_open)].filter(Boolean).join(', ')}. The case is ${finality === 'resolved' ? 'settled and certified' : finalityWords[finality]}.`
      },
    )
  signOff
    .command('list <case>')
    .description('who signed it off, newest first')
    .examples('concord sign-off list case-1')
    .lists(
      'tenant-key',
      (client, scopeId: string) => client.signOffs(scopeId),
      [
        ['sign-off', item => item.sign_off_id],
        ['by', item => printable(item.by), { max: 40 }],
        ['signed', item => item.signed_at],
        ['documents', item => item.covers.documents.count],
        ['left open', item => leftOpenWords(item.covers.left_open)?.replace(' left open', '') ?? 'nothing'],
        ['standing', item => (item.withdrawn !== null ? 'withdrawn' : item.current ? 'current' : 'something else counts since')],
        ['why', item => printable(item.reason), { max: 80 }],
      ],
      'Nobody has signed it off.',
    )
  signOff
    .command('withdraw <case> <sign-off>')
    .description('take one back')
    .examples('concord sign-off withdraw case-1 sgn_… --reason "Signed the wrong case."')
    .decides(
      { keptWith: 'withdrawal', who: 'who takes it back' },
      async (client, said, scopeId: string, id: string) => {
        const taken = await client.withdrawSignOff(scopeId, id, said)
        // A case that stays settled rests on somebody else's.
        const others = taken.finality === 'resolved' ? await newest(client, scopeId) : []
        return { ...taken, still_signed: others.filter(each => each.current).map(each => ({ sign_off_id: each.sign_off_id, by: each.by })) }
      },
      ({ sign_off_id: id, finality, still_signed: others }) => {
        const standing = others.map(each => `${each.sign_off_id} by ${printable(each.by)}`)
        if (standing.length > 0) return `${id}: withdrawn. The case is still settled: what stands is ${standing.join(', ')}.`
        return `${id}: withdrawn. The case is ${finalityWords[finality]}.`
      },
    )
}

/** What was taken back is, whoever may not read or is cut off here. */
const newest = (client: Client, scopeId: string): Promise<Schema['SignOff'][]> =>
  client
    .signOffs(scopeId, { limit: mostLookedAt })
    .toArray(mostLookedAt)
    .catch(() => [])

/** `document=why`, split at the first sign: reasons may hold more. */
function named(given: string, how: 'read_by_eye' | 'set_aside') {
  const at = given.indexOf('=')
  if (at > 0 && at < given.length - 1) return { document: given.slice(0, at), how, reason: given.slice(at + 1) }
  throw new CommandError(`${given} says no reason`, { next: 'write <document>=<why>', exitCode: exitCodes.usage })
}
