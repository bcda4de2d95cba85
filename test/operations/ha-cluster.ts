/**
 * Three PostgreSQL servers under Patroni with three etcd, HAProxy and PgBouncer in front, from the system's own packages and by
 * the files of `deploy/ha`, below a temporary folder. Each server can be killed, frozen and cut off like a machine.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { DatabaseAddress } from '../../src/store/server/connection.js'
import { type Account, chooseAccount, commandAs, giveTo } from '../../src/store/server/embedded-account.js'
import { freePort } from '../support/free-port.js'
import { type SwitchingProxy, startProxy } from './switching-proxy.js'

const host = '127.0.0.1'
const superuser = { name: 'postgres', password: 'superuser-password' }
const healthyMs = 120_000
const againMs = 1000

export interface HaCluster {
  /** Where HAProxy leads to whoever is the primary. */
  readonly port: number
  readonly servers: readonly HaServer[]
  /** The server that holds the leader's key and says so. */
  leader(): Promise<HaServer | undefined>
  superuser(port: number, database: string): DatabaseAddress
  /** Resolves when there is a leader, two servers stream from it, and one of them synchronously. */
  untilHealthy(): Promise<void>
  /** The ends of all logs, for whoever has to find out why something went wrong. */
  lastWords(): string
  restartEtcd(index: number): Promise<void>
  restartProxy(): Promise<void>
  /** PgBouncer in front of HAProxy, for the users named with their passwords; gives its port. */
  startPooler(users: readonly (readonly [string, string])[]): Promise<number>
  restartPooler(): Promise<void>
  stop(): Promise<void>
}

export interface HaServer {
  readonly name: string
  readonly port: number
  start(): void
  /** Patroni and every process of PostgreSQL at once, as when the power of its machine fails. */
  kill(): Promise<void>
  /** In good order: the leader hands over before it goes. */
  stop(): Promise<void>
  freeze(): void
  thaw(): void
  /** Away from etcd and from the other servers; HAProxy and clients still reach it. */
  cutOff(): void
  reconnect(): void
}

interface Etcd {
  readonly clientPort: number
  start(): void
  stop(): Promise<void>
}

export interface HaClusterOptions {
  folder: string
  binaries: string
  /** Whether a commit waits for a second server. Without it acknowledged documents are lost, which shows that a run can find losses. */
  synchronous: boolean
}

export async function startHaCluster({ folder, binaries, synchronous }: HaClusterOptions): Promise<HaCluster> {
  const account = chooseAccount(folder)
  const etcds = await prepareEtcds(folder, account)
  for (const etcd of etcds) etcd.start()
  await untilAgreed(etcds)
  const servers: HaServer[] = []
  const restPorts: number[] = []
  const links: SwitchingProxy[] = []
  for (const name of ['pg1', 'pg2', 'pg3']) {
    const prepared = await prepareServer({ name, folder: join(folder, name), binaries, synchronous, account, etcds })
    servers.push(prepared.server)
    restPorts.push(prepared.restPort)
    links.push(...prepared.links)
  }
  for (const server of servers) server.start()
  const proxy = await prepareHaproxy(folder, account, servers, restPorts)
  proxy.start()
  let pooler: Program | undefined

  const leaderOf = async () => {
    const answers = await Promise.all(restPorts.map(port => statusOf(`http://${host}:${port}/primary`)))
    return servers[answers.indexOf(200)]
  }
  const healthy = async () => {
    const asked = await Promise.all(restPorts.map(port => clusterAt(port)))
    const members = asked.find(one => one !== undefined) ?? []
    const leader = members.find(member => member.role === 'leader')
    // One that was away says that it runs until it is rewound: another fault meanwhile would be two at once.
    const streaming = members.filter(({ state, timeline }) => /^(running|streaming)$/.test(state) && timeline === leader?.timeline)
    return (
      streaming.length === 3 &&
      leader !== undefined &&
      (!synchronous || members.some(member => member.role === 'sync_standby')) &&
      (await leaderOf()) !== undefined
    )
  }
  return {
    port: proxy.port,
    servers,
    leader: leaderOf,
    superuser: (port, database) => ({ host, port, database, user: superuser.name, password: superuser.password, roleSecret: '' }),
    async untilHealthy() {
      const end = performance.now() + healthyMs
      while (!(await healthy())) {
        if (performance.now() > end) throw new Error('the cluster does not become healthy')
        await wait(200)
      }
    },
    lastWords: () => tailsOf(folder),
    async restartEtcd(index) {
      const etcd = etcds[index] as Etcd
      await etcd.stop()
      etcd.start()
    },
    async restartProxy() {
      await proxy.stop()
      proxy.start()
    },
    async startPooler(users) {
      const prepared = await preparePooler(folder, account, proxy.port, users)
      pooler = prepared.pooler
      pooler.start()
      return prepared.port
    },
    async restartPooler() {
      await pooler?.stop()
      pooler?.start()
    },
    async stop() {
      await pooler?.stop()
      await proxy.stop()
      for (const server of servers) await server.kill()
      for (const etcd of etcds) await etcd.stop()
      for (const link of links) await link.close()
    },
  }
}

async function prepareEtcds(folder: string, account: Account): Promise<Etcd[]> {
  const members = await Promise.all(
    [1, 2, 3].map(async n => ({ name: `etcd${n}`, clientPort: await freePort(), peerPort: await freePort() })),
  )
  const cluster = members.map(({ name, peerPort }) => `${name}=http://${host}:${peerPort}`).join(',')
  return members.map(({ name, clientPort, peerPort }) => {
    const dataDir = join(folder, name)
    makeFor(account, dataDir)
    const urls = { client: `http://${host}:${clientPort}`, peer: `http://${host}:${peerPort}` }
    const args = [
      ...['--name', name, '--data-dir', join(dataDir, 'data'), '--initial-cluster', cluster, '--initial-cluster-state', 'new'],
      ...['--listen-client-urls', urls.client, '--advertise-client-urls', urls.client],
      ...['--listen-peer-urls', urls.peer, '--initial-advertise-peer-urls', urls.peer],
    ]
    // Debian's etcd runs on ARM, but wants to be told that one knows.
    const one = program(account, 'etcd', args, join(folder, `${name}.log`), { ETCD_UNSUPPORTED_ARCH: 'arm64' })
    return { clientPort, start: one.start, stop: one.stop }
  })
}

/** Patroni ends for good when etcd answers before its members have agreed on a version. */
async function untilAgreed(etcds: readonly Etcd[]): Promise<void> {
  const versionAt = async ({ clientPort }: Etcd) => {
    const answer = await fetch(`http://${host}:${clientPort}/version`, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
    return ((await answer?.json()) as { etcdcluster?: string } | undefined)?.etcdcluster ?? ''
  }
  const end = performance.now() + healthyMs
  while (!(await Promise.all(etcds.map(versionAt))).every(version => /^\d/.test(version))) {
    if (performance.now() > end) throw new Error('the members of etcd do not agree')
    await wait(100)
  }
}

interface ServerToPrepare extends HaClusterOptions {
  name: string
  account: Account
  etcds: readonly Etcd[]
}

interface PreparedServer {
  server: HaServer
  restPort: number
  links: SwitchingProxy[]
}

async function prepareServer({ name, folder, binaries, synchronous, account, etcds }: ServerToPrepare): Promise<PreparedServer> {
  makeFor(account, folder)
  const [port, restPort] = [await freePort(), await freePort()]
  const toEtcd = await Promise.all(etcds.map(etcd => startProxy(etcd.clientPort)))
  const fromPeers = { sql: await startProxy(port), rest: await startProxy(restPort) }
  const config = join(folder, 'patroni.yml')
  fill('patroni.yml', config, {
    NAME: name,
    ADDRESS: host,
    NETWORK: `${host}/32`,
    PORT: String(port),
    PORT_FOR_PEERS: String(fromPeers.sql.port),
    REST_PORT: String(restPort),
    REST_PORT_FOR_PEERS: String(fromPeers.rest.port),
    ETCD_HOSTS: toEtcd.map(each => `${host}:${each.port}`).join(','),
    ETCD_BY_PROXIES: 'true',
    FOLDER: folder,
    BINARIES: binaries,
    SYNCHRONOUS: String(synchronous),
    SUPERUSER_PASSWORD: superuser.password,
    REPLICATION_PASSWORD: 'replication-password',
  })
  const patroni = program(account, 'patroni', [config], `${folder}.log`)
  const processes = () => [...postgresProcesses(join(folder, 'data')), ...patroni.pids()]
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes()) sendSignal(pid, name)
  }
  const links: [SwitchingProxy, number][] = [
    ...toEtcd.map((each, index): [SwitchingProxy, number] => [each, (etcds[index] as Etcd).clientPort]),
    [fromPeers.sql, port],
    [fromPeers.rest, restPort],
  ]
  const server: HaServer = {
    name,
    port,
    start: patroni.start,
    async kill() {
      // Frozen first: each would notice the death of the others and begin to recover.
      signal('SIGSTOP')
      signal('SIGKILL')
      await patroni.stop()
    },
    stop: patroni.stop,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    cutOff: () => {
      for (const [link] of links) link.pointAt(null)
    },
    reconnect: () => {
      for (const [link, target] of links) link.pointAt(target)
    },
  }
  return { server, restPort, links: links.map(([link]) => link) }
}

async function prepareHaproxy(folder: string, account: Account, servers: readonly HaServer[], restPorts: readonly number[]) {
  const port = await freePort()
  const config = join(folder, 'haproxy.cfg')
  const places = servers.flatMap((server, index) => [
    [`PG${index + 1}`, `${host}:${server.port}`],
    [`REST${index + 1}`, String(restPorts[index])],
  ])
  fill('haproxy.cfg', config, { ADDRESS: host, PORT: String(port), ...Object.fromEntries(places) })
  return { port, ...program(account, 'haproxy', ['-W', '-db', '-f', config], join(folder, 'haproxy.log')) }
}

async function preparePooler(folder: string, account: Account, primaryPort: number, users: readonly (readonly [string, string])[]) {
  const port = await freePort()
  const usersFile = join(folder, 'pgbouncer-users.txt')
  writeFileSync(usersFile, users.map(([name, password]) => `"${name}" "${password}"\n`).join(''), { mode: 0o644 })
  const config = join(folder, 'pgbouncer.ini')
  fill('pgbouncer.ini', config, {
    ADDRESS: host,
    PORT: String(port),
    PRIMARY_ADDRESS: host,
    PRIMARY_PORT: String(primaryPort),
    USERS_FILE: usersFile,
  })
  return { port, pooler: program(account, 'pgbouncer', [config], join(folder, 'pgbouncer.log')) }
}

/** A file of `deploy/ha` with its names filled in; one that is missing is a mistake of ours. */
function fill(name: string, into: string, values: Record<string, string>): void {
  const template = readFileSync(fileURLToPath(new URL(`../../deploy/ha/${name}`, import.meta.url)), 'utf8')
  const text = template.replace(/\$\{([A-Z][A-Z_0-9]*)\}/g, (_all, key: string) => {
    const value = values[key]
    if (value === undefined) throw new Error(`${name} asks for ${key}`)
    return value
  })
  writeFileSync(into, text, { mode: 0o644 })
}

type Program = ReturnType<typeof program>

/** A program that can be started again after its end, and is where it gives up by itself, as a service manager does for one. */
function program(account: Account, file: string, args: string[], logFile: string, env: Record<string, string> = {}) {
  let child: ChildProcess | undefined
  let wanted = false
  const isUp = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const ended = async () => {
    if (isUp()) await once(child as ChildProcess, 'exit')
  }
  const start = () => {
    wanted = true
    const command = commandAs(account, file, args)
    const log = openSync(logFile, 'a', 0o666)
    child = spawn(command.file, command.args, {
      ...command.options,
      stdio: ['ignore', log, log],
      cwd: '/',
      env: { PATH: `${process.env['PATH']}:/usr/sbin`, LANG: 'C.UTF-8', ...env },
    })
    closeSync(log)
    child.once('exit', async code => {
      const failed = code !== null && code !== 0
      if (failed) await wait(againMs)
      if (failed && wanted && !isUp()) start()
    })
  }
  return {
    start,
    pids: () => (isUp() ? [child?.pid as number] : []),
    stop: async () => {
      wanted = false
      if (isUp()) child?.kill('SIGTERM')
      await ended()
    },
  }
}

/** The postmaster that Patroni started, and its children. */
function postgresProcesses(dataDir: string): number[] {
  const pidFile = join(dataDir, 'postmaster.pid')
  if (!existsSync(pidFile)) return []
  const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  const parentOf = (pid: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1])
    } catch {
      return undefined
    }
  }
  const children = readdirSync('/proc').filter(name => /^\d+$/.test(name) && parentOf(name) === postmaster)
  return [postmaster, ...children.map(Number)]
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function statusOf(url: string): Promise<number> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1000) })).status
  } catch {
    return 0
  }
}

interface Member {
  role: string
  state: string
  timeline?: number
}

async function clusterAt(port: number): Promise<Member[] | undefined> {
  try {
    const answer = await fetch(`http://${host}:${port}/cluster`, { signal: AbortSignal.timeout(1000) })
    return ((await answer.json()) as { members: Member[] }).members
  } catch {
    return undefined
  }
}

function tailsOf(folder: string): string {
  const logs = readdirSync(folder).filter(name => name.endsWith('.log'))
  return logs.map(name => `--- ${name}\n${readFileSync(join(folder, name), 'utf8').slice(-1500)}`).join('\n')
}

function makeFor(account: Account, folder: string): void {
  mkdirSync(folder, { mode: 0o700 })
  giveTo(account, folder)
}
