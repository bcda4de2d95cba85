/** The commands of `concord`, and how a failure ends: one line that says what to do, no stack trace. */

import { CommanderError } from 'commander'
import { addAudit } from './audit.js'
import { addBackup } from './backup.js'
import { addCertificate } from './certificate.js'
import { addClaims } from './claims.js'
import { Command } from './command.js'
import { exitCodes } from './command-error.js'
import { addCompletion } from './completion.js'
import { addConfig } from './config-command.js'
import { addContradictions } from './contradictions.js'
import { addDecisions } from './decisions.js'
import { addDoctor } from './doctor.js'
import { addDocuments } from './documents.js'
import { explainFailure } from './explain-failure.js'
import { addExport } from './export.js'
import { addGlossary } from './glossary.js'
import { addIngest } from './ingest.js'
import { addInit } from './init.js'
import { addKeys } from './keys.js'
import { addLogin } from './login.js'
import { addMcp } from './mcp.js'
import { addMigrate } from './migrate.js'
import { addOpen } from './open.js'
import { formats } from './output.js'
import { namedAs, ownCommand } from './own-command.js'
import { packageName, packageVersion } from './package-version.js'
import { addPolicies } from './policies.js'
import { addPossible } from './possible.js'
import { addProfiles } from './profile-command.js'
import { addQuarantine } from './quarantine.js'
import { addReplay } from './replay.js'
import { addReport } from './report.js'
import { addReread } from './reread.js'
import { addResolve } from './resolve.js'
import { addRestore } from './restore.js'
import { addReview } from './review.js'
import { addRuntime } from './runtime.js'
import { addScopes } from './scopes.js'
import { addServe } from './serve.js'
import { addSessions } from './sessions.js'
import { type AddCommand, addGlobalOptions, type CommandContext } from './shell.js'
import { addSigningKeys } from './signing-keys.js'
import { addStatus } from './status.js'
import { addSummary } from './summary.js'
import { addSupersessions } from './supersessions.js'
import { addTenants } from './tenants.js'
import { addVerify } from './verify.js'
import { addWatch } from './watch.js'
import { addWebhooks } from './webhooks.js'

export interface Invocation {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** The file that was started; undefined: the command is called `concord`. */
  program?: string
}

const commands: readonly AddCommand[] = [
  addServe,
  addInit,
  addLogin,
  addIngest,
  addWatch,
  addOpen,
  addStatus,
  addScopes,
  addSummary,
  addDocuments,
  addClaims,
  addContradictions,
  addResolve,
  addPossible,
  addSupersessions,
  addReread,
  addReview,
  addDecisions,
  addGlossary,
  addCertificate,
  addRuntime,
  addTenants,
  addKeys,
  addSessions,
  addWebhooks,
  addQuarantine,
  addPolicies,
  addAudit,
  addSigningKeys,
  addProfiles,
  addReport,
  addExport,
  addMcp,
  addDoctor,
  addConfig,
  addVerify,
  addReplay,
  addMigrate,
  addBackup,
  addRestore,
  addCompletion,
]

/** Answers the exit code. */
export async function runCommandLine({ args, env, program }: Invocation): Promise<number> {
  const context: CommandContext = { env, exitCode: exitCodes.done, command: commandOf(program, env) }
  endQuietlyWithoutReader()
  try {
    await createProgram(context).parseAsync(withFormat(args), { from: 'user' })
    return context.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (env['CONCORD_DEBUG']) console.error(error)
    const { line, exitCode } = explainFailure(error)
    console.error(`concord: ${namedAs(context.command, line)}`)
    return exitCode
  }
}

/** `-o json` everywhere, although some commands write a file with `-o`: an option of the program would take theirs. */
function withFormat(args: readonly string[]): string[] {
  return args.map((word, index) => (word === '-o' && formats.some(format => format === args[index + 1]) ? '--format' : word))
}

function commandOf(program: string | undefined, env: Invocation['env']): string {
  if (program === undefined) return 'concord'
  return ownCommand({ program, cwd: process.cwd(), path: env['PATH'] ?? '', packageName: packageName() })
}

function createProgram(context: CommandContext): Command {
  const program = addGlobalOptions(new Command(context.command))
    .description('Documents in; contradictions, decisions and certificates out.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(add --help for what the command takes)')
    .examples('concord serve', 'concord init', 'concord ingest ./dossier --scope case-1 --wait', 'concord summary case-1')
    .addHelpText(
      'after',
      `\nExit codes: 0 done, 1 refused or a fault found, 2 wrong usage, 3 the service does not answer, 78 wrong settings.`,
    )
  for (const add of commands) add(program, context)
  return program
}

/** `concord watch case-1 | head` is no failure: when nobody reads any more, there is nothing left to do. */
function endQuietlyWithoutReader(): void {
  if (!process.stdout.listeners('error').includes(endWithoutReader)) process.stdout.on('error', endWithoutReader)
}

function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
}
