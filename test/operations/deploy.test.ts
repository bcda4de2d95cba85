/** The files of `deploy/` agree with each other and with the service, and the check that says so can say no. */

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type DeployFiles, lintDeploy, readDeployFiles } from './deploy-files.js'

const files = readDeployFiles(fileURLToPath(new URL('../..', import.meta.url)))

function changed(path: string, from: string | RegExp, to: string): DeployFiles {
  const before = files[path] as string
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  return { ...files, [path]: after }
}

describe('deploy/', () => {
  it('has no fault', () => {
    expect(lintDeploy(files)).toEqual([])
  })

  it.each([
    [
      'a probe that asks a port which is not there',
      'deploy/kubernetes/api.yaml',
      'port: http }\n            periodSeconds',
      'port: web }\n            periodSeconds',
      'which is not there',
    ],
    ['a missing probe', 'deploy/kubernetes/worker.yaml', 'readinessProbe', 'readyProbe', 'no readinessProbe'],
    [
      'a root that can be written to',
      'deploy/kubernetes/worker.yaml',
      'readOnlyRootFilesystem: true',
      'readOnlyRootFilesystem: false',
      'write to its root',
    ],
    ['a selector that matches nothing', 'deploy/kubernetes/disruption.yaml', 'component: api', 'component: apis', 'covers no pod'],
    [
      'an autoscaler of something else',
      'deploy/kubernetes/autoscaling.yaml',
      'name: concord-worker }',
      'name: worker }',
      'not there to be scaled',
    ],
    ['a setting we do not have', 'deploy/kubernetes/settings.yaml', 'LOG_LEVEL', 'LOGLEVEL', 'LOGLEVEL is not a setting'],
    ['a secret that is not declared', 'deploy/compose.yaml', 'secrets: [database_url,', 'secrets: [url,', 'which is not there'],
    [
      'workers that reach no webhook and no model',
      'deploy/compose.yaml',
      /(--role, worker\][\s\S]*?)networks: \[inside, outside\]/,
      '$1networks: [inside]',
      'worker reaches nothing outside',
    ],
    [
      'a container that is killed early',
      'deploy/compose.yaml',
      'stop_grace_period: 45s',
      'stop_grace_period: 30s',
      'killed before it has stopped',
    ],
    [
      'a pod that is killed early',
      'deploy/kubernetes/worker.yaml',
      'terminationGracePeriodSeconds: 45',
      'terminationGracePeriodSeconds: 30',
      'killed before they have stopped',
    ],
    [
      'a key given twice',
      'deploy/compose.yaml',
      '    restart: unless-stopped\n',
      '    restart: unless-stopped\n    restart: always\n',
      'unique',
    ],
    [
      'a metric nobody measures',
      'deploy/prometheus/concord.rules.yml',
      'max(concord_queue_depth)',
      'max(concord_queue_size)',
      'concord_queue_size is not measured',
    ],
    [
      'a panel of a metric nobody measures',
      'deploy/grafana/dashboards/concord.json',
      'sum(concord_stream_readers)',
      'sum(concord_readers)',
      'concord_readers is not measured',
    ],
    [
      'an alert without an entry in the runbook',
      'docs/operations.md',
      '### ConcordNoLeader',
      '### NoLeader',
      'nothing about ConcordNoLeader',
    ],
    ['a base image that cannot be pinned', 'Dockerfile', 'FROM $NODE_IMAGE AS build', 'FROM node:24 AS build', 'cannot be pinned'],
    ['an image that runs as root', 'Dockerfile', 'USER 1000:1000', 'USER 0:0', 'runs as root'],
  ])('is refused with %s', (_what, path, from, to, complaint) => {
    const faults = lintDeploy(changed(path, from, to))
    expect(faults.join('\n')).toContain(complaint)
  })
})
