/** Once per run, and again before a run in watch mode: brings `dist/` up to date, from which these tests load the program. */

import type { TestProject } from 'vitest/node'

const { refresh } = (await import(new URL('../../scripts/build.mjs', import.meta.url).href)) as { refresh: () => Promise<number> }

export async function setup(project: TestProject): Promise<void> {
  await refresh()
  project.onTestsRerun(async () => {
    await refresh()
  })
}
