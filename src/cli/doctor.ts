/** `concord doctor`: looks at everything a support person would ask about, says what to do, and exits 1 on a fault. */

import { createClient } from '../client/client.js'
import type { AddCommand } from './command.js'
import { exitCodes } from './command-error.js'
import type { Finding } from './doctor-finding.js'
import { examineMachine } from './doctor-local.js'
import { examineServerModel } from './doctor-model.js'
import { examineServer } from './doctor-server.js'
import { readLocalConfig } from './local-config.js'
import type { Output } from './output.js'
import { padEnd } from './text-layout.js'

/** Two questions to a slow model. */
const trialMs = 600_000

export const addDoctor: AddCommand = program => {
  program
    .command('doctor')
    .description('look at everything a support person would ask about')
    .addHelpText('after', '\nWith CONCORD_URL or --url only that server is looked at.')
    .option('--model', 'have the server try its model; certificates name how it did from then on')
    .examples('concord doctor', 'concord doctor --model', 'CONCORD_URL=https://concord.example concord doctor --json')
    .runs(async (shell, options: { model?: boolean }) => {
      const { out, settings, flags, env } = shell
      const named = flags.url !== undefined || Boolean(env['CONCORD_URL'])
      const machine = named ? [] : await examineMachine(readLocalConfig(shell))
      const server = await examineServer(createClient({ ...settings, retries: { attempts: 2, timeoutMs: 10_000 } }), settings)
      const model =
        options.model === true
          ? [await examineServerModel(createClient({ ...settings, retries: { attempts: 1, timeoutMs: trialMs } }))]
          : []
      const findings = [...machine, ...server, ...model]
      const faults = findings.filter(finding => finding.status === 'fault').length
      out.show({ ok: faults === 0, findings }, () => {
        out.lines(findings.flatMap(finding => findingLines(finding, out)))
        out.line(
          faults === 0 ? out.colors.green('No fault found.') : out.colors.red(`${faults} ${faults === 1 ? 'fault' : 'faults'} found.`),
        )
      })
      return faults > 0 ? exitCodes.failed : exitCodes.done
    })
}

function findingLines({ check, status, detail, next }: Finding, { colors, hint }: Output): string[] {
  const mark = { ok: colors.green('✓'), warning: colors.yellow('!'), fault: colors.red('✗'), skipped: colors.dim('–') }[status]
  return [
    `${mark} ${padEnd(check, 28)} ${hint(detail)}`,
    ...(next === undefined ? [] : [colors.dim(`  ${' '.repeat(28)} → ${hint(next)}`)]),
  ]
}
