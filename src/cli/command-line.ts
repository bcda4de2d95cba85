/** The commands of `concord`, and how a failure ends: one line that says what to do, no stack trace. */

import { existsSync } from 'node:fs'
import { CommanderError, Option } from 'commander'
import { type AddCommand, Command } from './command.js'
import { exitCodes } from './command-error.js'
import { explainFailure } from './explain-failure.js'
import { formats } from './output.js'
import { namedAs, ownCommand } from './own-command.js'
import { packageVersion } from './package-version.js'
import type { CommandContext } from './shell.js'

export interface Invocation {
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** The file that was started; undefined: the command is called `concord`. */
  program?: string
  /** The process that started this one, noted when it began. */
  parent?: number
}

/** In the order of the help. Loaded when asked for: the service and its workers need none of the others. */
const commands: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.js')).addServe,
  init: async () => (await import('./init.js')).addInit,
  login: async () => (await import('./login.js')).addLogin,
  logout: async () => (await import('./login.js')).addLogout,
  ingest: async () => (await import('./ingest.js')).addIngest,
  watch: async () => (await import('./watch.js')).addWatch,
  open: async () => (await import('./open.js')).addOpen,
  status: async () => (await import('./status.js')).addStatus,
  scopes: async () => (await import('./scopes.js')).addScopes,
  summary: async () => (await import('./summary.js')).addSummary,
  overview: async () => (await import('./overview.js')).addOverview,
  documents: async () => (await import('./documents.js')).addDocuments,
  claims: async () => (await import('./claims.js')).addClaims,
  contradictions: async () => (await import('./findings.js')).addContradictions,
  finding: async () => (await import('./finding.js')).addFinding,
  resolve: async () => (await import('./findings.js')).addResolve,
  assign: async () => (await import('./assignments.js')).addAssign,
  unassign: async () => (await import('./assignments.js')).addUnassign,
  comment: async () => (await import('./assignments.js')).addComment,
  comments: async () => (await import('./assignments.js')).addComments,
  possible: async () => (await import('./findings.js')).addPossible,
  replacements: async () => (await import('./findings.js')).addReplacements,
  supersessions: async () => (await import('./findings.js')).addSupersessions,
  hold: async () => (await import('./holds.js')).addHold,
  'lift-hold': async () => (await import('./holds.js')).addLiftHold,
  holds: async () => (await import('./holds.js')).addHolds,
  reread: async () => (await import('./reread.js')).addReread,
  review: async () => (await import('./review.js')).addReview,
  decisions: async () => (await import('./review.js')).addDecisions,
  glossary: async () => (await import('./glossary.js')).addGlossary,
  'sign-off': async () => (await import('./sign-off.js')).addSignOff,
  certificate: async () => (await import('./certificate.js')).addCertificate,
  runtime: async () => (await import('./runtime.js')).addRuntime,
  tenants: async () => (await import('./tenants.js')).addTenants,
  keys: async () => (await import('./keys.js')).addKeys,
  sessions: async () => (await import('./keys.js')).addSessions,
  webhooks: async () => (await import('./webhooks.js')).addWebhooks,
  quarantine: async () => (await import('./quarantine.js')).addQuarantine,
  policies: async () => (await import('./policies.js')).addPolicies,
  audit: async () => (await import('./audit.js')).addAudit,
  'signing-keys': async () => (await import('./signing-keys.js')).addSigningKeys,
  profiles: async () => (await import('./profile-command.js')).addProfiles,
  report: async () => (await import('./report.js')).addReport,
  schedule: async () => (await import('./papers.js')).addSchedule,
  'as-of': async () => (await import('./as-of.js')).addAsOf,
  bundle: async () => (await import('./papers.js')).addBundle,
  export: async () => (await import('./export.js')).addExport,
  mcp: async () => (await import('./mcp.js')).addMcp,
  doctor: async () => (await import('./doctor.js')).addDoctor,
  config: async () => (await import('./config-command.js')).addConfig,
  verify: async () => (await import('./verify.js')).addVerify,
  replay: async () => (await import('./replay.js')).addReplay,
  migrate: async () => (await import('./migrate.js')).addMigrate,
  backup: async () => (await import('./backup.js')).addBackup,
  restore: async () => (await import('./backup.js')).addRestore,
  completion: async () => (await import('./completion.js')).addCompletion,
}

/** Answers the exit code. */
export async function runCommandLine({ args, env: given, program, parent = process.ppid }: Invocation): Promise<number> {
  const env = existsSync('.env') ? await withDotEnv(given) : given
  const context: CommandContext = { env, exitCode: exitCodes.done, command: commandOf(program, env), parent }
  endQuietlyWithoutReader()
  try {
    const whole = await createProgram(context, args)
    await whole.parseAsync(withFormat(args), { from: 'user' })
    return context.exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (env['CONCORD_DEBUG']) console.error(error)
    const { line, exitCode } = explainFailure(error)
    console.error(`concord: ${namedAs(context.command, line)}`)
    return exitCode
  }
}

/** What the service takes from that file: where its data is, and where it answers. Its reader is loaded where there is one. */
async function withDotEnv(env: Invocation['env']): Promise<Invocation['env']> {
  const [{ withSettingsOfDotEnv }, { readIfThere }] = await Promise.all([import('../platform/config.js'), import('./local-config.js')])
  return withSettingsOfDotEnv(env, { readFile: readIfThere })
}

/** `-o json` everywhere, although some commands write a file with `-o`: an option of the program would take theirs. */
function withFormat(args: readonly string[]): string[] {
  return args.map((word, index) => (word === '-o' && formats.some(format => format === args[index + 1]) ? '--format' : word))
}

function commandOf(program: string | undefined, env: Invocation['env']): string {
  if (program === undefined) return 'concord'
  return ownCommand({ program, cwd: process.cwd(), path: env['PATH'] ?? '' })
}

async function createProgram(context: CommandContext, args: readonly string[]): Promise<Command> {
  const program = new Command(context.command, context)
    .description('Documents in; contradictions, decisions and certificates out.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(add --help for what the command takes)')
    .examples('concord serve', 'concord init', 'concord ingest ./dossier --scope case-1 --wait', 'concord summary case-1')
    .addHelpText(
      'after',
      `\nExit codes: 0 done, 1 refused or a fault found, 2 wrong usage, 3 the service does not answer, 78 wrong settings.`,
    )
    .option('--json', 'print JSON for programs')
    .addOption(new Option('--format <format>', 'for people or for programs; `-o json` and the like do the same').choices(formats))
    .option('--no-color', 'no colours (NO_COLOR does the same)')
    .option('--profile <name>', 'server and keys by name (CONCORD_PROFILE)')
    .option('--url <url>', 'address of the service (CONCORD_URL)')
    .option('--admin-key <key>', 'admin key (CONCORD_ADMIN_KEY)')
    .option('--internals-key <key>', 'internals key (CONCORD_INTERNALS_KEY)')
    .option('--tenant-id <id>', 'tenant (CONCORD_TENANT_ID)')
    .option('--tenant-key <key>', 'tenant key (CONCORD_TENANT_KEY)')
    .option('--data-dir <folder>', 'data folder of a service on this machine (DATA_DIR)')
  for (const load of commandsFor(args)) (await load())(program)
  return program
}

/** Every command whose name is said; all of them where the program itself is asked, or what is said is no command. */
function commandsFor(args: readonly string[]) {
  const named = Object.entries(commands).filter(([name]) => args.includes(name))
  const first = args.find(word => !word.startsWith('-'))
  const isCertain = first !== undefined && first !== 'completion' && Object.hasOwn(commands, first)
  return isCertain ? named.map(([, load]) => load) : Object.values(commands)
}

/** `concord watch case-1 | head` is not a failure: when nobody reads the output, there is nothing left to do. */
function endQuietlyWithoutReader(): void {
  if (!process.stdout.listeners('error').includes(endWithoutReader)) process.stdout.on('error', endWithoutReader)
}

function endWithoutReader(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.done)
  throw error
}
