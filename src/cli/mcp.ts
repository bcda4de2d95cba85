/** `concord mcp`: the service for an agent that starts this program and speaks with it over standard input and output. */

import { packageVersion } from './package-version.js'
import { type AddCommand, shellOf } from './shell.js'

export const addMcp: AddCommand = (program, context) => {
  program
    .command('mcp')
    .description('speak the Model Context Protocol over standard input and output')
    .option('--allow-writes', 'also offer tools that submit documents and decide, as far as the key may')
    .examples('concord mcp', 'concord mcp --allow-writes --profile work')
    .action(async ({ allowWrites = false }: { allowWrites?: boolean }, command) => {
      const client = shellOf(command, context).client('tenant-key')
      const { serveStdio } = await import('../mcp/stdio.js')
      await serveStdio({ client, version: packageVersion(), allowWrites })
    })
}
