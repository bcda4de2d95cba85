/** `concord config`: the settings in force, of the service on this machine and of this command line, secrets hidden. */

import { describeConfig, faultLines, settingsTable } from '../platform/config.js'
import type { AddCommand } from './command.js'
import { exitCodes } from './command-error.js'
import { readLocalConfig } from './local-config.js'
import { profilesPath } from './profiles.js'
import type { ServerSettings } from './server-settings.js'
import { table } from './text-layout.js'

export const addConfig: AddCommand = program => {
  program
    .command('config')
    .description('settings in force, secrets hidden')
    .option('--list', 'every setting of the service with what it allows and means')
    .examples('concord config', 'concord config --list', 'concord config --json')
    .runs((shell, options: { list?: boolean }) => {
      const { out, env } = shell
      if (options.list)
        return out.list(settingsTable(), [
          ['name', row => row.name],
          ['default', row => row.default, { max: 16 }],
          ['allowed', row => row.allowed, { max: 44 }],
          ['meaning', row => row.description],
        ])
      const loaded = readLocalConfig(shell)
      const service = loaded.ok ? describeConfig(loaded.config) : null
      const faults = loaded.ok ? [] : faultLines(loaded.faults)
      const connection = describeConnection(shell.settings)
      out.show({ service, faults, command_line: { ...connection, profiles: profilesPath(env) } }, () => {
        out.line(out.colors.bold('Command line'))
        out.lines(untitled(connection.values, [row => `  ${row.name}`, row => row.value, row => out.colors.dim(row.from)]))
        out.line(out.colors.bold('Service on this machine'))
        for (const fault of faults) out.line(out.colors.red(`  ${fault}`))
        const shown = (value: unknown) => {
          if (!Array.isArray(value)) return String(value)
          return value.some(each => typeof each === 'object') ? JSON.stringify(value) : value.join(', ')
        }
        out.lines(untitled(Object.entries(service ?? {}), [([name]) => `  ${name}`, ([, value]) => shown(value)]))
      })
      return loaded.ok ? exitCodes.done : exitCodes.failed
    })
}

function untitled<T>(items: readonly T[], cells: readonly ((item: T) => string)[]): string[] {
  const columns = cells.map(cell => ['', cell] as const)
  return table(items, columns, () => '').slice(1)
}

function describeConnection(settings: ServerSettings): { values: { name: string; value: string; from: string }[] } {
  const { url, tenantId, adminKey, internalsKey, tenantKey, from } = settings
  const hidden = (key: string | undefined) => (key === undefined ? '(unset)' : '(hidden)')
  return {
    values: [
      { name: 'url', value: url, from: from.url ?? '' },
      { name: 'tenant id', value: tenantId ?? '(unset)', from: from.tenantId ?? '' },
      { name: 'tenant key', value: hidden(tenantKey), from: from.tenantKey ?? '' },
      { name: 'admin key', value: hidden(adminKey), from: from.adminKey ?? '' },
      { name: 'internals key', value: hidden(internalsKey), from: from.internalsKey ?? '' },
    ],
  }
}
