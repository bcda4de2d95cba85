/**
 * The two login roles. They are made, or given a fresh password, when one of them cannot log in. Roles belong to the
 * whole server: two Concord databases on one server share them, so they need the same owner or DATABASE_ROLE_SECRET.
 */

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import { StartupError } from '../../platform/errors.js'
import {
  clientConfig,
  type DatabaseAddress,
  type LoginRole,
  loginRoles,
  rolePassword,
  type SessionLimits,
  sessionSettings,
  timeoutsOf,
} from './connection.js'
import { failureCode } from './failures.js'
import { logIn } from './login.js'

const refusedLogin = new Set(['28P01', '28000', '42501'])
/** `tuple concurrently updated`: another database of the server changed the same role at the same moment. */
const racedStates = new Set(['XX000', '42710', '23505'])
const attempts = 10

export async function ensureRoles(owner: pg.Client, address: DatabaseAddress, limits: SessionLimits): Promise<void> {
  for (const role of Object.keys(loginRoles) as LoginRole[]) {
    for (let attempt = 1; !(await canLogIn(address, role, limits)); attempt++) {
      if (attempt > attempts)
        throw new StartupError(`The role ${loginRoles[role]} cannot log in, although its password was just set. Check pg_hba.conf.`)
      await makeRole(owner, address, role)
    }
  }
  await refusePowerfulRoles(owner)
}

/** For sessions that a pooler opens, which no client can give settings to; those that are open already keep theirs. */
export async function giveRolesSettings(owner: pg.Client, address: DatabaseAddress, limits: SessionLimits): Promise<void> {
  for (const role of Object.values(loginRoles)) {
    for (const [name, value] of Object.entries({ ...sessionSettings, ...timeoutsOf(limits) }))
      await owner.query(
        `alter role ${role} in database ${pg.escapeIdentifier(address.database)} set ${name} = ${pg.escapeLiteral(String(value))}`,
      )
  }
}

async function canLogIn(address: DatabaseAddress, role: LoginRole, limits: SessionLimits): Promise<boolean> {
  try {
    const client = await logIn(clientConfig(address, role, limits))
    await client.end()
    return true
  } catch (error) {
    if (refusedLogin.has(failureCode(error) ?? '')) return false
    throw error
  }
}

async function makeRole(owner: pg.Client, address: DatabaseAddress, role: LoginRole): Promise<void> {
  const name = loginRoles[role]
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name])
  const verb = rowCount === 0 ? 'create' : 'alter'
  try {
    await owner.query(`${verb} role ${name} login password ${pg.escapeLiteral(scramVerifier(rolePassword(address, role)))}`)
    await owner.query(`grant connect on database ${pg.escapeIdentifier(address.database)} to ${name}`)
  } catch (error) {
    if (racedStates.has(failureCode(error) ?? '')) return
    if (failureCode(error) !== '42501') throw error
    throw new StartupError(
      `The owner of the database (${address.user}) may not ${verb} the role ${name}. Give it CREATEROLE, and ADMIN OPTION on a role someone else made.`,
      { cause: error },
    )
  }
}

/** Row-level security means nothing to a superuser or a role that bypasses it. */
async function refusePowerfulRoles(owner: pg.Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    'select rolname as name from pg_roles where rolname = any($1) and (rolsuper or rolbypassrls)',
    [Object.values(loginRoles)],
  )
  if (rows[0])
    throw new StartupError(
      `The role ${rows[0].name} is a superuser or bypasses row-level security. Take that away: tenants would see each other.`,
    )
}

/** What the server keeps instead of the password, made here so that the password never appears in its log. */
function scramVerifier(password: string): string {
  const iterations = 4096
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const keyFor = (label: string) => createHmac('sha256', salted).update(label).digest()
  const stored = createHash('sha256').update(keyFor('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyFor('Server Key').toString('base64')}`
}
