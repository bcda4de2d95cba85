/**
 * The order of test files. Vitest takes long ones first where it remembers a run, and large ones in a new clone, where the
 * longest tests are often the shortest to read: a worker that begins one of them last keeps the run waiting.
 */

import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Each takes five seconds or more. */
const long = [
  'chaos/crash',
  'cli/backup',
  'cli/ingest-restart',
  'client/stream-restart',
  'files/child-death',
  'files/damaged',
  'files/mail',
  'fuzz/fuzz',
  'isolation/isolation',
  'journeys/pipeline',
  'journeys/poison',
  'journeys/runtime',
  'load/',
  'pipeline/network-cut',
  'simulation/',
  'store/embedded',
  'webhooks/delivery',
  'webhooks/failing-receiver',
]

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    // Those of a project stay together: they share a process.
    const projects = [...new Set(sorted.map(file => file.project))]
    return projects.flatMap(project => {
      const own = sorted.filter(file => file.project === project)
      return [...own.filter(isLong), ...own.filter(file => !isLong(file))]
    })
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return long.some(name => moduleId.includes(`/test/${name}`))
}
