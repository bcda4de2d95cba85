/** `concord assign`, `unassign`, `comment` and `comments`: who is to look at a contradiction, and what people write about it. */

import type { Client } from '../client/client.js'
import type { Schema } from '../contract/types.js'
import { type AddCommand, actingPerson, knownPerson } from './command.js'
import { contradictionId } from './meant-by.js'
import type { CommandContext } from './shell.js'
import { printable } from './text-layout.js'

interface Options {
  due?: string
  by?: string
}

export const addAssign: AddCommand = program => {
  const assign = program
    .command('assign <contradiction> <person>')
    .description('say who is to look at a contradiction')
    .option('--due <day>', 'until when, such as 2026-03-31')
    .option('--by <name>', 'who says so; otherwise your account, where one is known')
    .examples('concord assign ctr_… j.doe --due 2026-03-31', 'concord contradictions case-1 --assigned-to j.doe')
  assign.calls(
    'tenant-key',
    async (client, id: string, to: string, { due, by }: Options) => {
      const said = { to, ...(due === undefined ? {} : { due }), ...(await saidBy(by, client, assign.context.env)) }
      return client.assign(await contradictionId(client, id), said)
    },
    ({ contradiction_id: id, assignment, changed }) =>
      assignment === null ? `${id} is nobody’s.` : `${id} is ${assignmentWords(assignment)}${changed ? '' : ' already'}.`,
  )
}

export const addUnassign: AddCommand = program => {
  const unassign = program
    .command('unassign <contradiction>')
    .description('take an assignment back')
    .option('--by <name>', 'who says so; otherwise your account, where one is known')
    .examples('concord unassign ctr_…')
  unassign.calls(
    'tenant-key',
    async (client, id: string, { by }: Options) =>
      client.unassign(await contradictionId(client, id), await saidBy(by, client, unassign.context.env)),
    ({ contradiction_id: id, changed }) => (changed ? `${id} is nobody’s now.` : `${id} was nobody’s.`),
  )
}

async function saidBy(given: string | undefined, client: Client, env: CommandContext['env']): Promise<{ by?: string }> {
  const by = await knownPerson(given, client, env)
  return by === undefined ? {} : { by }
}

export function assignmentWords({ to, due }: NonNullable<Schema['Contradiction']['assignment']>): string {
  return `for ${printable(to)}${due === null ? '' : `, due ${due}`}`
}

export const addComment: AddCommand = program => {
  const comment = program
    .command('comment <contradiction> <text>')
    .description('write a comment on a contradiction; it stays on record')
    .option('--by <name>', 'who writes; otherwise your account')
    .examples('concord comment ctr_… "The surveyor was asked on Monday."')
  comment.calls(
    'tenant-key',
    async (client, id: string, text: string, { by }: Options) =>
      client.comment(await contradictionId(client, id), { text, by: await actingPerson(by, client, comment.context.env) }),
    ({ comment_id: id, contradiction_id: on }) => `${id} is written to ${on}.`,
  )
}

export const addComments: AddCommand = program => {
  program
    .command('comments <contradiction>')
    .description('what people wrote about a contradiction, oldest first')
    .limited(100)
    .examples('concord comments ctr_…')
    .runs(async ({ out, client: connect }, id: string, { limit }: { limit: number }) => {
      const client = connect('tenant-key')
      const items = await client.comments(await contradictionId(client, id)).toArray(limit)
      out.list(
        items,
        [
          ['written', item => item.said_at.slice(0, 16).replace('T', ' ')],
          ['by', item => printable(item.by), { max: 40 }],
          ['comment', item => (item.text === null ? '(erased)' : printable(item.text)), { max: 200 }],
        ],
        'Nobody has written anything about it.',
      )
    })
}
