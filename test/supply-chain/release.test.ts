import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const { versioned, withHeading, writeChecksums } = (await import(new URL('../../scripts/release.mjs', import.meta.url).href)) as {
  versioned: [path: string, change: (version: string) => [found: RegExp, written: string]][]
  withHeading: (changelog: string, version: string, day: string) => string
  writeChecksums: (folder: string) => string
}

describe("the changelog's heading of a release", () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n'

  it('is put above what was unreleased, below an empty new part', () => {
    expect(withHeading(changelog, '0.2.0', '2026-02-01')).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-02-01)\n\n- Something new.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n',
    )
  })

  it('is refused twice, and where nothing is to be told', () => {
    expect(() => withHeading(changelog, '0.1.0', '2026-02-01')).toThrow('has 0.1.0 already')
    expect(() => withHeading('# Changelog\n\n## Unreleased\n\n## 0.1.0 (x)\n\n- First.\n', '0.2.0', 'x')).toThrow('says nothing')
    expect(() => withHeading('# Changelog\n', '0.2.0', 'x')).toThrow('one heading')
  })
})

it('a release writes its version wherever a reader finds the one before', () => {
  const root = new URL('../../', import.meta.url)
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }
  expect(versioned.map(([path]) => path)).toEqual(
    expect.arrayContaining(['docs/cli.md', 'docs/client.md', 'deploy/compose.yaml', 'deploy/kubernetes/kustomization.yaml']),
  )
  for (const [path, change] of versioned) {
    const text = readFileSync(new URL(path, root), 'utf8')
    const released = text.replace(...change('12.0.0-rc.1'))
    expect(released).toContain('12.0.0-rc.1')
    expect(released).not.toContain(version)
    expect(released.replace(...change(version))).toBe(text)
  }
})

it('the version of the API is that of its contract, whatever the packages have', () => {
  const { info } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as { info: { version: string } }
  expect(info.version).toBe('0.1.0')
  expect(versioned.map(([path]) => path)).not.toContain('src/contract/openapi.ts')
})

it('what is released comes with its checksums', () => {
  const folder = mkdtempSync(join(tmpdir(), 'concord-release-'))
  try {
    writeFileSync(join(folder, 'a.tgz'), 'abc')
    expect(writeChecksums(folder)).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.tgz\n')
    expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toContain('  a.tgz\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
