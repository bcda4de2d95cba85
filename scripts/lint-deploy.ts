/**
 * `npm run lint:deploy`: the files of `deploy/` against each other and the service, then by the tools that are there:
 * promtool for alerts, their tests, the configuration and the expressions of the dashboard; systemd-analyze for the unit.
 * Says what was left out because its tool is not there. Exits 1 on a fault.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dashboardExpressions, lintDeploy, readDeployFiles } from '../test/operations/deploy-files.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readDeployFiles(root)
const faults = lintDeploy(files)
for (const fault of faults) console.log(`FAULT ${fault}`)
console.log(`${Object.keys(files).length} files read, ${faults.length} faults`)

const folder = mkdtempSync(join(tmpdir(), 'concord-lint-'))
const panels = join(folder, 'panels.yml')
const rules = dashboardExpressions(files).map((expr, index) => ({ record: `panel:${index}`, expr }))
writeFileSync(panels, JSON.stringify({ groups: [{ name: 'panels', rules }] }))

const prometheus = join(root, 'deploy/prometheus')
const tools: [name: string, command: string, args: string[]][] = [
  ['alerts', 'promtool', ['check', 'rules', join(prometheus, 'concord.rules.yml')]],
  ['tests of the alerts', 'promtool', ['test', 'rules', join(prometheus, 'concord.rules.test.yml')]],
  ['configuration of Prometheus', 'promtool', ['check', 'config', join(prometheus, 'prometheus.yml')]],
  ['expressions of the dashboard', 'promtool', ['check', 'rules', panels]],
  ['systemd unit', 'systemd-analyze', ['verify', join(root, 'deploy/systemd/concord.service')]],
]
let failed = faults.length > 0
for (const [name, command, args] of tools) {
  const run = spawnSync(command, args, { encoding: 'utf8' })
  const missing = (run.error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT'
  const ok = run.status === 0
  console.log(missing ? `left out: ${name} (${command} is not installed)` : `${ok ? 'ok' : 'FAILED'}: ${name}`)
  if (missing || ok) continue
  failed = true
  console.log(`${run.stdout}${run.stderr}`)
}
console.log('not checked here: building the image, starting the compose file, applying the manifests to a cluster')
rmSync(folder, { recursive: true })
process.exitCode = failed ? 1 : 0
