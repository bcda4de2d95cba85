/** Which folder may import which; all other imports between folders are refused. docs/architecture.md shows the layers. */
const may = {
  contract: ['platform/person-name', 'platform/schema'],
  kernel: ['reading/types', 'platform/person-name'],
  reading: ['platform/storable-text', 'platform/visible-text'],
  platform: ['contract/problems'],
  store: ['platform', 'kernel', 'reading'],
  files: ['contract/csv-rows', 'contract/file-kinds', 'platform', 'reading/normalize/remarks'],
  events: ['contract', 'store', 'platform'],
  tenancy: ['contract', 'events', 'store', 'platform', 'kernel'],
  ingest: ['contract', 'events', 'store', 'platform', 'kernel'],
  scopes: ['contract', 'kernel', 'reading', 'files', 'events', 'store', 'platform'],
  models: ['reading', 'platform'],
  webhooks: ['contract', 'events', 'store', 'platform'],
  pipeline: ['reading', 'files', 'kernel', 'contract', 'events', 'models', 'store', 'platform'],
  hatchery: ['pipeline', 'events', 'store', 'platform', 'kernel', 'contract'],
  // The package of the client holds nothing else.
  client: ['contract/file-kinds', 'platform/person-name'],
  mcp: ['client', 'contract', 'platform/schema'],
  http: ['contract', 'tenancy', 'ingest', 'scopes', 'webhooks', 'events', 'hatchery', 'mcp', 'store', 'platform'],
  cli: ['compose', 'contract', 'platform', 'client', 'mcp', 'kernel', 'scopes', 'store', 'pipeline', 'tenancy', 'events', 'hatchery', 'reading', 'models'],
}

/** Rooms of pipeline/: leasing uses all of them; planning knows nothing of leases, so that a replay plans by the same code. */
const rooms = {
  planning: ['threads/fair-turns'],
  committing: ['planning'],
  replay: ['planning'],
  threads: ['planning', 'leasing/retry-policy'],
  asking: ['planning', 'leasing/unless-paused'],
  texts: ['threads', 'leasing/unless-paused'],
}

const roomWalls = Object.entries(rooms).map(([room, allowed]) => ({
  name: `pipeline-${room}-imports`,
  comment: `pipeline/${room}/ may import ${allowed.join(', ')} of pipeline/`,
  severity: 'error',
  from: { path: `^src/pipeline/${room}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/pipeline/', pathNot: [`^src/pipeline/${room}/`, ...allowed.map(name => `^src/pipeline/${name}(/|\\.ts$)`)] },
}))

const walls = Object.entries(may).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import ${allowed.length ? allowed.join(', ') : 'nothing of ours'}`,
  severity: 'error',
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [`^src/${folder}/`, ...allowed.map(name => `^src/${name}(/|\\.ts$)`)] },
}))

module.exports = {
  forbidden: [
    ...walls,
    ...roomWalls,
    {
      name: 'desk-imports',
      comment:
        'the desk is a reader of the API like any other: of ours it knows the client and the contract, and what laid out a text, to find its words in the original, makes an original drawable or names it',
      severity: 'error',
      from: { path: '^desk/' },
      to: {
        path: '^(src|scripts|test)/',
        pathNot: '^src/(client/index|contract/(csv-rows|field-words|file-kinds|finding-words|hold-words|overview-words|types)|files/(blocks-text|deck|file-names|odf-sheets|odf-text|pdf-layout|text-writer|tiff-pdf|word-blocks|word-body|xlsx-sheets)|reading/normalize/(html-tags|remarks))\\.ts$',
      },
    },
    {
      name: 'agents-come-late',
      comment: 'the SDK behind mcp/ takes 24 MiB and half a second, which only processes that speak with agents pay for',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/mcp/' },
      to: { path: ['^src/mcp/', 'node_modules/@modelcontextprotocol/'], dynamic: false },
    },
    {
      name: 'schemas-without-typebox',
      comment: 'loading TypeBox takes a third of a second: its types are used, its builders are those of platform/schema',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: 'node_modules/typebox/', dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'only-store-knows-the-driver', severity: 'error', from: { path: '^src/', pathNot: '^src/store/' }, to: { path: 'node_modules/pg/' } },
    {
      name: 'pure-core',
      comment: 'kernel and reading take values and return values',
      severity: 'error',
      from: { path: '^src/(kernel|reading)/', pathNot: ['\\.test\\.ts$', '^src/reading/words/table-file\\.ts$'] },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|module|v8)$' },
    },
    ...['public', 'admin', 'internals'].map(tier => ({
      name: `tier-${tier}-stands-alone`,
      severity: 'error',
      from: { path: `^src/http/${tier}/` },
      to: { path: '^src/http/(public|admin|internals)/', pathNot: `^src/http/${tier}/` },
    })),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'], extensions: ['.ts', '.tsx', '.js'] },
  },
}
