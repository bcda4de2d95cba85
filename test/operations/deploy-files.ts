/**
 * The files of `deploy/` read and held against each other and against the service: names that must exist, settings that
 * must be ours, metrics that must be measured, and what every container must refuse. It cannot say that a cluster would
 * accept them; it says that they agree with themselves.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { settingsTable } from '../../src/platform/config.js'

export interface DeployFiles {
  /** Path below the root of the repository, and content. */
  [path: string]: string
}

type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value }
type Node = { [key: string]: Value }

export function readDeployFiles(root: string): DeployFiles {
  const below = readdirSync(join(root, 'deploy'), { recursive: true, withFileTypes: true })
  const paths = below.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name).slice(root.length).replace(/^\//, ''))
  const sources = ['Dockerfile', 'docs/operations.md', 'src/platform/metrics.ts', 'src/instruments.ts']
  return Object.fromEntries([...paths, ...sources].map(path => [path, readFileSync(join(root, path), 'utf8')]))
}

/** Every fault, with the file it is in; empty when there is none. */
export function lintDeploy(files: DeployFiles): string[] {
  const faults: string[] = []
  const refuse = (path: string, what: string) => void faults.push(`${path}: ${what}`)
  const documents = parseAll(files, refuse)
  lintSettings(files, documents, refuse)
  lintKubernetes(documents, refuse)
  lintCompose((documents['deploy/compose.yaml'] ?? [])[0] as Node, refuse)
  lintDockerfile(files['Dockerfile'] ?? '', refuse)
  lintMetricNames(files, documents, refuse)
  lintRunbook(files['docs/operations.md'] ?? '', documents, refuse)
  return faults
}

type Refuse = (path: string, what: string) => void
type Documents = Record<string, Node[]>

function parseAll(files: DeployFiles, refuse: Refuse): Documents {
  const documents: Documents = {}
  for (const [path, content] of Object.entries(files)) {
    if (/\.ya?ml$/.test(path)) {
      const parsed = parseAllDocuments(content, { uniqueKeys: true, merge: true })
      documents[path] = [...parsed].map(document => document.toJS() as Node)
      for (const document of parsed) for (const error of document.errors) refuse(path, error.message)
    } else if (path.endsWith('.json')) {
      documents[path] = [JSON.parse(content) as Node]
    }
  }
  return documents
}

/** Settings may come as themselves or from a file. */
function lintSettings(files: DeployFiles, documents: Documents, refuse: Refuse): void {
  const rows = settingsTable()
  const known = new Set(rows.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])))
  const check = (path: string, name: string) => {
    if (!known.has(name) && name !== 'NODE_ENV') refuse(path, `${name} is not a setting`)
  }
  for (const row of ['deploy/systemd/concord.env.example', 'deploy/systemd/concord.service', 'Dockerfile']) {
    const text = files[row] ?? ''
    const assigned =
      row === 'Dockerfile' ? (/^ENV ((?:.*\\\n)*.*)$/m.exec(text)?.[1] ?? '') : text.replace(/^(?!#?[A-Z_]+=|Environment=).*$/gm, '')
    for (const [, name] of assigned.replaceAll('Environment=', '').matchAll(/(?:^|[\s#])([A-Z][A-Z_]+)=/gm)) check(row, name as string)
  }
  const settings = (documents['deploy/kubernetes/settings.yaml'] ?? [])[0]
  for (const name of Object.keys((settings?.['data'] as Node) ?? {})) check('deploy/kubernetes/settings.yaml', name)
  const services = ((documents['deploy/compose.yaml'] ?? [])[0]?.['services'] ?? {}) as Record<string, Node>
  for (const service of Object.values(services)) {
    if (String(service['image']).startsWith('concord:')) {
      for (const name of Object.keys((service['environment'] as Node) ?? {})) check('deploy/compose.yaml', name)
    }
  }
}

const kinds: Record<string, string> = {
  Namespace: 'v1',
  ConfigMap: 'v1',
  Secret: 'v1',
  ServiceAccount: 'v1',
  Service: 'v1',
  Job: 'batch/v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking.k8s.io/v1',
}

function lintKubernetes(documents: Documents, refuse: Refuse): void {
  const folder = 'deploy/kubernetes/'
  const kustomization = (documents[`${folder}kustomization.yaml`] ?? [])[0]
  const applied = (kustomization?.['resources'] ?? []) as string[]
  const objects = applied.flatMap(name => {
    if (documents[folder + name] === undefined) refuse(`${folder}kustomization.yaml`, `${name} is not there`)
    return (documents[folder + name] ?? []).map(object => ({ path: folder + name, object }))
  })
  for (const path of Object.keys(documents).filter(path => path.startsWith(folder) && !/example|kustomization/.test(path))) {
    if (!applied.includes(path.slice(folder.length))) refuse(path, 'is not applied by kustomization.yaml')
  }
  const pods = new Map<string, Node>()
  for (const { path, object } of objects) {
    const kind = String(object['kind'])
    if (kinds[kind] !== object['apiVersion']) refuse(path, `${kind} of ${object['apiVersion']} is not known here`)
    if (typeof at(object, 'metadata', 'name') !== 'string') refuse(path, `a ${kind} without a name`)
    if (kind === 'Deployment' || kind === 'Job') {
      pods.set(`${kind} ${at(object, 'metadata', 'name')}`, object)
      lintPod(path, object, refuse)
    }
  }
  for (const { path, object } of objects) lintReferences(path, object, pods, refuse)
}

function lintPod(path: string, object: Node, refuse: Refuse): void {
  const labels = at(object, 'spec', 'template', 'metadata', 'labels') as Node
  const pod = at(object, 'spec', 'template', 'spec') as Node
  if (object['kind'] === 'Deployment' && !covers(at(object, 'spec', 'selector', 'matchLabels') as Node, labels)) {
    refuse(path, 'the selector does not match the labels of its pods')
  }
  if (at(pod, 'securityContext', 'runAsNonRoot') !== true) refuse(path, 'pods may run as root')
  if (at(pod, 'securityContext', 'seccompProfile', 'type') !== 'RuntimeDefault') refuse(path, 'pods have no seccomp profile')
  if (pod['automountServiceAccountToken'] !== false) refuse(path, 'pods are given a token of the cluster')
  const grace = Number(pod['terminationGracePeriodSeconds'] ?? 30)
  if (object['kind'] === 'Deployment' && grace < leastGraceSeconds()) refuse(path, 'pods are killed before they have stopped')
  const volumes = new Set(((pod['volumes'] ?? []) as Node[]).map(volume => volume['name']))
  for (const container of (pod['containers'] ?? []) as Node[]) {
    const context = container['securityContext'] as Node
    if (context?.['readOnlyRootFilesystem'] !== true) refuse(path, 'a container may write to its root')
    if (context?.['allowPrivilegeEscalation'] !== false) refuse(path, 'a container may gain rights')
    if (JSON.stringify(at(context, 'capabilities', 'drop')) !== '["ALL"]') refuse(path, 'a container keeps capabilities')
    if (at(container, 'resources', 'limits', 'memory') === undefined) refuse(path, 'a container has no memory limit')
    if (at(container, 'resources', 'requests', 'cpu') === undefined) refuse(path, 'a container asks for no CPU')
    for (const mount of (container['volumeMounts'] ?? []) as Node[]) {
      if (!volumes.has(mount['name'])) refuse(path, `the volume ${mount['name']} is not there`)
    }
    if (object['kind'] === 'Deployment') lintProbes(path, container, refuse)
  }
}

function lintProbes(path: string, container: Node, refuse: Refuse): void {
  const ports = new Set(((container['ports'] ?? []) as Node[]).map(port => port['name']))
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    const port = at(container, probe, 'httpGet', 'port')
    if (port === undefined) refuse(path, `a container has no ${probe}`)
    else if (!ports.has(port)) refuse(path, `${probe} asks the port ${port}, which is not there`)
  }
}

function lintReferences(path: string, object: Node, pods: Map<string, Node>, refuse: Refuse): void {
  const kind = object['kind']
  const labelled = (labels: Value) =>
    [...pods.values()].some(pod => covers(labels as Node, at(pod, 'spec', 'template', 'metadata', 'labels') as Node))
  if (kind === 'HorizontalPodAutoscaler') {
    const target = at(object, 'spec', 'scaleTargetRef') as Node
    if (!pods.has(`${target['kind']} ${target['name']}`)) refuse(path, `${target['name']} is not there to be scaled`)
  }
  if (kind === 'PodDisruptionBudget' && !labelled(at(object, 'spec', 'selector', 'matchLabels'))) refuse(path, 'the budget covers no pod')
  if (kind === 'NetworkPolicy' && !labelled(at(object, 'spec', 'podSelector', 'matchLabels'))) refuse(path, 'the policy covers no pod')
  if (kind === 'Service') {
    const behind = [...pods.values()].filter(pod =>
      covers(at(object, 'spec', 'selector') as Node, at(pod, 'spec', 'template', 'metadata', 'labels') as Node),
    )
    if (behind.length !== 1) refuse(path, `the service reaches ${behind.length} kinds of pods`)
    const containers = behind.flatMap(pod => at(pod, 'spec', 'template', 'spec', 'containers') as Node[])
    const ports = containers.flatMap(container => (container['ports'] ?? []) as Node[]).map(port => port['name'])
    for (const port of (at(object, 'spec', 'ports') ?? []) as Node[]) {
      if (!ports.includes(port['targetPort'])) refuse(path, `the port ${port['targetPort']} is not there`)
    }
  }
}

function lintCompose(compose: Node, refuse: Refuse): void {
  const path = 'deploy/compose.yaml'
  const services = (compose['services'] ?? {}) as Record<string, Node>
  for (const [name, service] of Object.entries(services)) {
    for (const part of ['secrets', 'networks'] as const) {
      for (const each of (service[part] ?? []) as string[]) {
        if (at(compose, part, each) === undefined) refuse(path, `${name} names ${each} of ${part}, which is not there`)
      }
    }
    const after = service['depends_on'] ?? []
    for (const other of Array.isArray(after) ? (after as string[]) : Object.keys(after as Node)) {
      if (services[other] === undefined) refuse(path, `${name} waits for ${other}, which is not there`)
    }
    for (const volume of ((service['volumes'] ?? []) as string[]).map(each => each.split(':', 1)[0] as string)) {
      if (!volume.startsWith('.') && at(compose, 'volumes', volume) === undefined) refuse(path, `the volume ${volume} is not there`)
    }
    if (!String(service['image']).startsWith('concord:')) continue
    if (!(Number.parseInt(String(service['stop_grace_period']), 10) >= leastGraceSeconds()))
      refuse(path, `${name} is killed before it has stopped`)
    if (service['read_only'] !== true) refuse(path, `${name} may write to its root`)
    if (JSON.stringify(service['cap_drop']) !== '["ALL"]') refuse(path, `${name} keeps capabilities`)
    // Workers post to webhooks and ask the model; API nodes are asked from outside, and ask the issuer of sign-ins.
    const serves = ((service['command'] ?? []) as string[]).includes('serve')
    const ways = ((service['networks'] ?? []) as string[]).filter(network => at(compose, 'networks', network, 'internal') !== true)
    if (serves && ways.length === 0) refuse(path, `${name} reaches nothing outside`)
  }
}

/** As docs/operations.md says: twice the time that work in progress has to finish. */
function leastGraceSeconds(): number {
  const { default: graceMs } = settingsTable().find(({ name }) => name === 'SHUTDOWN_GRACE_MS') as { default: string }
  return (2 * Number(graceMs)) / 1000
}

function lintDockerfile(text: string, refuse: Refuse): void {
  const stages = [...text.matchAll(/^FROM (\S+)/gm)].map(match => match[1] as string)
  if (stages.length < 2) refuse('Dockerfile', 'one stage only')
  const base = /^ARG NODE_IMAGE=(\S+)$/m.exec(text)?.[1]
  if (!base?.startsWith('node:24-')) refuse('Dockerfile', `${base} is not Node 24`)
  for (const image of stages) if (image !== '$NODE_IMAGE') refuse('Dockerfile', `${image} cannot be pinned by NODE_IMAGE`)
  const last = text.slice(text.lastIndexOf('\nFROM '))
  if (!/^USER [1-9]\d*:[1-9]\d*$/m.test(last)) refuse('Dockerfile', 'runs as root')
  if (!/^HEALTHCHECK /m.test(last)) refuse('Dockerfile', 'has no health check')
}

/** Expressions of alerts and panels, with the file they are in. */
export function expressions(documents: Documents): { path: string; expr: string }[] {
  const found: { path: string; expr: string }[] = []
  const walk = (path: string, value: Value) => {
    if (Array.isArray(value)) for (const each of value) walk(path, each)
    else if (value !== null && typeof value === 'object') {
      for (const [key, each] of Object.entries(value)) {
        if ((key === 'expr' || key === 'metricsQuery') && typeof each === 'string') found.push({ path, expr: each })
        else walk(path, each)
      }
    }
  }
  for (const [path, parsed] of Object.entries(documents)) if (!path.includes('.test.')) walk(path, parsed)
  return found
}

export function dashboardExpressions(files: DeployFiles): string[] {
  return expressions(parseAll(files, () => undefined))
    .filter(({ path }) => path.endsWith('.json'))
    .map(({ expr }) => expr)
}

function lintMetricNames(files: DeployFiles, documents: Documents, refuse: Refuse): void {
  const sources = `${files['src/platform/metrics.ts']}\n${files['src/instruments.ts']}`
  const measured = new Set([...sources.matchAll(/name: '([a-z_]+)'/g)].map(match => match[1] as string))
  const used = new Set<string>()
  for (const { path, expr } of expressions(documents)) {
    for (const [name] of expr.matchAll(/\b(concord|http_server)_[a-z_]+/g)) {
      const base = name.replace(/_(bucket|count|sum)$/, '')
      used.add(measured.has(name) ? name : base)
      if (!measured.has(name) && !measured.has(base)) refuse(path, `${name} is not measured`)
    }
  }
  for (const name of measured) {
    const ours = name.startsWith('concord_') || name.startsWith('http_server_')
    if (ours && !used.has(name) && name !== 'concord_workers_desired' && name !== 'concord_ingest_queue_bytes') {
      refuse('deploy/', `${name} is measured and shown nowhere`)
    }
  }
}

function lintRunbook(runbook: string, documents: Documents, refuse: Refuse): void {
  const path = 'deploy/prometheus/concord.rules.yml'
  const groups = ((documents[path] ?? [])[0]?.['groups'] ?? []) as Node[]
  for (const rule of groups.flatMap(group => group['rules'] as Node[])) {
    const alert = String(rule['alert'])
    if (!new RegExp(`^#+ ${alert}$`, 'm').test(runbook)) refuse('docs/operations.md', `says nothing about ${alert}`)
    if (at(rule, 'annotations', 'runbook') !== `docs/operations.md#${alert.toLowerCase()}`) refuse(path, `${alert} points elsewhere`)
  }
}

function at(value: Value, ...keys: string[]): Value {
  let found = value
  for (const key of keys) found = (found as Node | null | undefined)?.[key]
  return found
}

function covers(selector: Node | undefined, labels: Node | undefined): boolean {
  const wanted = Object.entries(selector ?? {})
  return wanted.length > 0 && wanted.every(([key, value]) => labels?.[key] === value)
}
