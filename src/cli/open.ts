/** `concord open`: the desk in a browser. */

import { spawn } from 'node:child_process'
import type { AddCommand } from './command.js'

const openers: Partial<Record<NodeJS.Platform, string[]>> = { darwin: ['open'], win32: ['cmd', '/c', 'start', ''] }

export const addOpen: AddCommand = program => {
  program
    .command('open [case]')
    .description('the desk in a browser, at a case if one is named')
    .option('--print', 'print the address alone')
    .examples('concord open', 'concord open case-1', 'concord open --print')
    .runs(({ out, settings }, scope: string | undefined, options: { print?: boolean }) => {
      const url = new URL(scope === undefined ? '/desk' : `/desk#/cases/${encodeURIComponent(scope)}`, settings.url).href
      out.show({ url }, () => out.line(url))
      if (!options.print && !out.json && out.isTerminal) openInBrowser(url)
    })
}

/** The address has been printed: a machine without a browser needs nothing more. */
function openInBrowser(url: string): void {
  const [program = 'xdg-open', ...args] = openers[process.platform] ?? []
  spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
    .once('error', () => undefined)
    .unref()
}
