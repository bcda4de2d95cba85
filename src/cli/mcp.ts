/** `concord mcp`: the service for an agent that starts this program and speaks with it over standard input and output. */

import type { AddCommand } from './command.js'
import { packageVersion } from './package-version.js'

export const addMcp: AddCommand = program => {
  program
    .command('mcp')
    .description('run a Model Context Protocol server over standard input and output')
    .option('--allow-writes', 'also offer tools that submit documents and decide, as far as the key may')
    .examples('concord mcp', 'concord mcp --allow-writes --profile work')
    .runs(async ({ client }, { allowWrites = false }: { allowWrites?: boolean }) => {
      const { serveStdio } = await import('../mcp/stdio.js')
      await serveStdio({ client: client('tenant-key'), version: packageVersion(), allowWrites })
    })
}
