/**
 * Every proof of docs/reliability.md: its name, what it shows, how many minutes it takes at full size on two quiet cores, and its command,
 * which prints lines that begin with PROVE, its name, and figures as name=value.
 */

const suite = (...paths) => ['node_modules/.bin/vitest', 'run', '--no-file-parallelism', ...paths]
const script = (name, ...args) => ['node_modules/.bin/tsx', `scripts/${name}.ts`, ...args]

export function proofsOf({ quick }) {
  return [
    {
      name: 'catalogue',
      shows: 'every tenant-owned table is walled off, and gaps made on purpose are found',
      minutes: 1,
      command: suite('test/isolation/catalogue.test.ts'),
    },
    { name: 'isolation', shows: 'attempts of one tenant at another', minutes: 11, command: suite('test/isolation/isolation.test.ts') },
    { name: 'fuzz', shows: 'generated requests at every operation', minutes: 13, command: suite('test/fuzz') },
    {
      name: 'damaged files',
      shows: 'files and pictures damaged at random or made to do harm, through the whole service',
      minutes: 13,
      command: suite('test/files/damaged.test.ts'),
    },
    {
      name: 'fair files',
      shows: 'a file of one line beside fifty hostile ones of another tenant, from sent to indexed',
      minutes: 3,
      command: suite('test/files/fair-files.test.ts'),
    },
    { name: 'hostile', shows: 'raw-socket attacks; p99 of healthy requests against normal', minutes: 1, command: suite('test/hostile') },
    {
      name: 'simulation',
      shows: 'small workloads under injected faults against their promises',
      minutes: 30,
      command: suite('test/simulation'),
    },
    {
      name: 'sabotage',
      shows: 'mended faults brought back one by one, each of them noticed by a test',
      minutes: 20,
      command: script('sabotage'),
    },
    {
      name: 'models',
      shows: 'random sequences of acts against models of the log and the runtime',
      minutes: 4,
      command: suite('test/ingest/model.test.ts', 'test/hatchery/state-machine.test.ts', 'test/pipeline/scheduling.test.ts'),
    },
    {
      name: 'properties',
      shows: 'random texts, orders and batches: what holds of any of them',
      minutes: 1,
      command: suite(
        'src/reading/normalize/normalize-properties.test.ts',
        'src/reading/document/extract-properties.test.ts',
        'test/pipeline/order.test.ts',
        'test/pipeline/batching.test.ts',
      ),
    },
    {
      name: 'chaos',
      shows: 'kill -9 of service and database under load',
      minutes: 26,
      command: script('chaos', '--kills', quick ? '5' : '200'),
    },
    {
      name: 'webhooks',
      shows: 'kill -9 of service and database while events are posted: each arrives, in the order of its scope',
      minutes: 5,
      command: suite('test/chaos/webhooks.test.ts'),
    },
    {
      name: 'streams',
      shows: 'fifty readers that reconnect, a thousand that stall, ten thousand that wait',
      minutes: 1,
      command: suite('test/events/readers.test.ts', 'test/events/idle-readers.test.ts'),
    },
    {
      name: 'ha',
      shows:
        'three PostgreSQL under Patroni: primary killed, frozen, cut off; everything restarted; an upgrade with a migration, back and forward again (Debian, root)',
      minutes: 8,
      command: script('ha', '--documents', quick ? '50' : '300'),
    },
    { name: 'pooler', shows: 'two nodes behind PgBouncer in transaction mode (Debian)', minutes: 1, command: script('pooler-checks') },
    {
      name: 'line cut',
      shows: 'the line between a worker and the database cut',
      minutes: 3,
      command: suite('test/pipeline/network-cut.test.ts'),
    },
    {
      name: 'fairness',
      shows: 'waits of small tenants beside one with a hundred times their load, against an even load',
      minutes: 1,
      command: suite('test/pipeline/fair-waits.test.ts'),
    },
    {
      name: 'long documents',
      shows: 'short documents of one tenant beside many long ones of another, from accepted to indexed',
      minutes: 2,
      command: suite('test/pipeline/long-documents.test.ts'),
    },
    {
      name: 'journeys',
      shows: 'real processes killed, frozen, poisoned, paused, stopped and restarted',
      minutes: 10,
      command: suite(
        'test/journeys/pipeline.test.ts',
        'test/journeys/poison.test.ts',
        'test/journeys/runtime.test.ts',
        'test/journeys/killed-while-paused.test.ts',
      ),
    },
    {
      name: 'histories',
      shows:
        'random histories of cases over HTTP: no silent conflict on the way, and in the end what a fresh case holds; of every moment later what the lists answered then',
      minutes: 6,
      command: suite('test/journeys/history.test.ts', 'src/kernel/standing.test.ts', 'src/kernel/standing-histories.test.ts'),
    },
    {
      name: 'examined',
      shows: 'nothing is signed that nobody examined: gates, sign-offs, papers not read, what certificates say of both',
      minutes: 2,
      command: suite(
        ...[
          'examined',
          'not-examined',
          'sign-off',
          'settle',
          'evidence',
          'said-by-people',
          'working-together',
          'standing',
          'policy-change',
          'first-walk',
        ].map(name => `test/journeys/${name}.test.ts`),
        ...['examination', 'finality', 'certificate'].map(name => `src/kernel/${name}.test.ts`),
        'test/scopes/certified-lists.test.ts',
      ),
    },
    {
      name: 'model',
      shows:
        'proposed, then confirmed: questions, answers recorded and made up, servers that fail, hang or lie, and what is kept from models',
      minutes: 2,
      command: suite(
        'test/models',
        'src/models',
        ...['model-bounds', 'model-hang', 'model-off', 'model-time', 'model'].map(name => `test/pipeline/${name}.test.ts`),
      ),
    },
    {
      name: 'papers',
      shows: 'every kind of file and scan from sent to indexed, behind walls, with the places of its words',
      minutes: 4,
      command: suite(
        ...['carried', 'child-death', 'extraction', 'mail', 'office', 'pipeline', 'scanned-papers', 'scans', 'upload', 'walls'].map(
          name => `test/files/${name}.test.ts`,
        ),
        'src/files',
      ),
    },
    {
      name: 'record',
      shows: 'a case as it was, who saw what, legal holds, papers and bundles to hand on, keys of imported tenants, time stamps',
      minutes: 2,
      command: suite(
        ...['papers', 'as-of', 'audit', 'readings'].map(name => `test/http/${name}.test.ts`),
        'test/scopes/legal-holds.test.ts',
        'test/cli/imported-keys.test.ts',
        'src/scopes/certificates',
        'src/platform/time-stamp.test.ts',
      ),
    },
    {
      name: 'anchors',
      shows: 'the audit log stamped by OpenSSL as the authority, and checked (openssl)',
      minutes: 1,
      command: script('anchor-checks'),
    },
    { name: 'overload', shows: 'three times the capacity', minutes: 3, command: suite('test/load/overload.test.ts') },
    {
      name: 'soak',
      shows: '70 % of capacity for a while',
      minutes: 16,
      command: suite('test/load/soak.test.ts'),
      env: { SOAK_SECONDS: quick ? '30' : '900' },
    },
    {
      name: 'first start',
      shows: '`npm start` in a fresh checkout: five seconds, types of the client, the demo kept at the desk',
      minutes: 2,
      command: [process.execPath, 'scripts/checkout-check.mjs', ...(quick ? [] : ['--strict'])],
    },
    { name: 'quotas', shows: 'limits of tenants over HTTP', minutes: 1, command: suite('test/tenancy') },
    {
      name: 'supply chain',
      shows: 'registry, versions, licences, install scripts, bill of materials',
      minutes: 1,
      command: [process.execPath, 'scripts/supply-chain.mjs'],
    },
    {
      name: 'suites',
      shows: 'every test at its everyday size: no suite over 40 s, none that passed only when it was tried again (quiet machine)',
      minutes: 7,
      command: ['node_modules/.bin/vitest', 'run'],
      env: { PROVE: '', STRICT_TIMES: '1' },
    },
  ]
}
