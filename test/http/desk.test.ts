import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../support/service.js'

const { deskBundle } = (await import(new URL('../../scripts/build.mjs', import.meta.url).href)) as {
  deskBundle: (options: object) => Promise<{ outputFiles: { contents: Uint8Array }[] }>
}

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('the desk', () => {
  it('is where / leads a browser, while programs are told where things are', async () => {
    const browser = await fetch(service.url, { headers: { accept: 'text/html,application/xhtml+xml' }, redirect: 'manual' })
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/desk'])
    const program = await fetch(service.url)
    expect([program.status, await program.json()]).toMatchObject([200, { desk: '/desk', docs: '/docs', openapi: '/openapi.json' }])
  })

  it.each(['/desk', '/desk/', '/desk/desk.js', '/desk/desk.css', '/desk/pdfjs/pdf.worker.min.mjs', '/desk/pdfjs/fonts/FoxitSerif.pfb'])(
    '%s allows nothing but this service',
    async path => {
      const answer = await fetch(service.url + path)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      )
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('set-cookie')).toBeNull()
    },
  )

  it('is not refused while the service stands still, which an answer of the API is', async () => {
    await expect
      .poll(async () => {
        const until = performance.now() + 3500
        while (performance.now() < until);
        // The timer that says how late it is comes first.
        await new Promise(resolve => setTimeout(resolve, 1))
        const shed = ['/openapi.json', '/docs', '/desk/pdfjs/pdf.worker.min.mjs']
        const given = ['/', '/desk', '/desk/', '/desk?from=mail', '/desk/desk.js', '/desk/desk.css', '/api/health']
        return Promise.all([...shed, ...given, '/desks'].map(async path => (await fetch(service.url + path)).status))
      })
      .toEqual([503, 503, 503, ...Array(7).fill(200), 404])
  })

  it('has no script or style within the page, and one small script beside it', async () => {
    const page = await (await fetch(`${service.url}/desk`)).text()
    expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=/)
    const { default: http } = await import('node:http')
    const script = await new Promise<Buffer>((resolve, reject) => {
      http
        .get(`${service.url}/desk/desk.js`, { headers: { 'accept-encoding': 'gzip' } }, async response => {
          expect(response.headers['content-encoding']).toBe('gzip')
          resolve(Buffer.concat(await response.toArray()))
        })
        .on('error', reject)
    })
    const style = await fetch(`${service.url}/desk/desk.css`)
    expect(style.status).toBe(200)
    const text = gunzipSync(script).toString('utf8')
    expect(text).not.toMatch(/localStorage|indexedDB|document\.cookie|EventSource\(/)
  })

  it('has less than 124 KB of script and style in all its parts, PDF.js apart', async () => {
    const { outputFiles } = await deskBundle({ write: false, external: ['pdfjs-dist/*'] })
    const sizes = outputFiles.map(({ contents }) => gzipSync(contents).length)
    expect(sizes.length).toBeGreaterThan(5)
    expect(sizes.reduce((sum, each) => sum + each, 0)).toBeLessThan(124_000)
  })

  it('has no size of type, space or corner beside its one scale', async () => {
    const style = (await (await fetch(`${service.url}/desk/desk.css`)).text()).replaceAll(/:root\{[^}]*\}/g, '')
    expect(style).toMatch(/padding:var\(--space-\d\)/)
    const sized =
      /(?:^|[;{])((?:font|font-size|padding|margin|gap|row-gap|column-gap|border-radius)(?:-[a-z]+)?:[^;}]*\d(?:r?em|px|pt|ch)\b[^;}]*)/g
    expect([...style.matchAll(sized)].map(([, declaration]) => declaration)).toEqual([])
  })

  it('gives parts of its script by the names it asks for, and no other file', async () => {
    const script = await (await fetch(`${service.url}/desk/desk.js`)).text()
    const parts = [...script.matchAll(/\.\/parts\/\w+\.js/g)].map(([name]) => name.slice(1))
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect((await fetch(`${service.url}/desk${part}`)).status).toBe(200)
    for (const name of ['parts/none.js', 'parts/..%2fdesk.js', 'pdfjs/package.json', 'pdfjs/fonts/..%2f..%2fpackage.json'])
      expect([name, (await fetch(`${service.url}/desk/${name}`)).status]).toEqual([name, 404])
  })

  it.each(['/desk/desk.js', '/openapi.json'])('%s is sent compressed, and again only when it changed', async path => {
    const first = await fetch(service.url + path)
    expect(first.headers.get('content-encoding')).toBe('gzip')
    expect((await first.text()).length).toBeGreaterThan(1000)
    const again = await fetch(service.url + path, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })
})

describe('the text of a document', () => {
  it('is plain text that a browser runs nothing of', async () => {
    const tenant = await service.createTenant()
    const headers = { authorization: `Bearer ${tenant.api_key}` }
    const text = '<script>alert(1)</script>\u202e'
    const document = { scope_id: 'case-1', name: 'n', document_id: 'a/b', text }
    expect((await service.call('POST', '/api/ingest', { headers, body: document })).status).toBe(202)
    const answer = await service.call('GET', '/api/documents/-/text?scope_id=case-1&document_id=a%2Fb', { headers })
    expect(answer.text).toBe(text)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const known = { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' }
    expect((await service.call('GET', '/api/documents/-/text?scope_id=case-1&document_id=a%2Fb', { headers: known })).status).toBe(304)
  })
})
