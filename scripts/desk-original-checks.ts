/**
 * Originals at the desk: pages as printed, Word, sheets, mails, Markdown and HTML, each with its passage marked where it stands;
 * and the same with files that want to run, fetch, fill the memory or look like something else.
 */

import { readFileSync } from 'node:fs'
import type { Locator, Page, Request } from 'playwright-core'
import { type Client, createClient } from '../src/client/index.js'
import { mailOf } from '../test/support/mail.js'
import { msgOf } from '../test/support/msg.js'
import { commented, docxOf, odsOf, odtOf, pptxOf, shape } from '../test/support/office.js'
import { pdfOf } from '../test/support/pdf.js'
import { linesOf, tiffOf } from '../test/support/pictures.js'
import { zipOf } from '../test/support/zip.js'
import { type DeskRun, goTo, lookAtEvery, open, picture } from './desk-page.js'
import { outcomeOf } from './document-outcome.js'

const caseId = 'originals'
const ran = "document.title='ran'"
const sentence = (amount: string) => `Revenue of Aurelia Holding for FY2025 was EUR ${amount}M.`

const word = (text: string) =>
  zipOf({
    'word/document.xml': `<w:document xmlns:w="w"><w:body>
      <w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Building contract</w:t></w:r></w:p>
      <w:p><w:r><w:t xml:space="preserve">${text.slice(0, 20)}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text.slice(20)}</w:t></w:r></w:p>
      <w:p><w:r><w:t xml:space="preserve">The price is </w:t></w:r><w:del w:author="Ana"><w:r><w:delText>EUR 100</w:delText></w:r></w:del><w:ins w:author="Ana"><w:r><w:t>EUR 120</w:t></w:r></w:ins><w:r><w:t>.</w:t></w:r></w:p>
    </w:body></w:document>`,
    'word/styles.xml': '<w:styles xmlns:w="w"><w:style w:styleId="H"><w:name w:val="heading 1"/></w:style></w:styles>',
  })

const sheet = (rows: string) =>
  zipOf({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="Costs &lt;b&gt;" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })

const row = (number: number, ...cells: string[]) =>
  `<row r="${number}">${cells.map((text, at) => `<c r="${'ABC'[at]}${number}" t="str"><v>${text}</v></c>`).join('')}</row>`

const page = (html: string) =>
  `<html><head><title>x</title><style>body{display:none}</style><script>${ran}</script></head><body onload="${ran}">${html}</body></html>`

const hostileHtml = page(`<h1>Site diary</h1><p>${sentence('38.6')}</p>
  <img src="https://example.com/x.png" onerror="${ran}"><svg><script>${ran}</script></svg><a href="javascript:${ran}">click</a>
  <iframe src="https://example.com"></iframe><form action="https://example.com"><input name="q"></form><link rel="stylesheet" href="https://example.com/x.css">
  <table><tr><td style="background:url(https://example.com/y.png)">Tender&nbsp;price</td><td>EUR 90,000</td></tr></table>${'<div>'.repeat(3000)}deep`)

/** Each says another amount, so that each contradicts the first. */
const files: Record<string, { bytes: Buffer; type: string }> = {
  'contract.pdf': {
    bytes: pdfOf(
      Array.from({ length: 500 }, (_, n) => [`Clause ${n + 1}`, 'Words that say nothing of it.', ...(n === 399 ? [sentence('41.2')] : [])]),
      { script: `app.alert(1); ${ran}`, weight: 9000, branch: 20 },
    ),
    type: 'application/pdf',
  },
  'letter.docx': { bytes: word(sentence('33.9')), type: '' },
  'draft.docx': { bytes: docxOf([commented(sentence('32.8'))], ['Is that so?']), type: '' },
  'note.odt': { bytes: odtOf(`<text:h>Note</text:h><text:p>${sentence('31.7')}</text:p>`), type: '' },
  'budget.ods': {
    bytes: odsOf({
      Budget: `<table:table-row><table:table-cell><text:p>${sentence('30.6')}</text:p></table:table-cell></table:table-row>`,
    }),
    type: '',
  },
  'deck.pptx': {
    bytes: pptxOf([{ shapes: shape('title', 'Start') }, { shapes: shape('body', sentence('29.5')), notes: 'Say more.' }]),
    type: '',
  },
  'plan.xlsx': {
    bytes: sheet(row(1, 'Item', 'Note') + row(2, 'Works', sentence('35.1')) + row(3, 'Roof', 'see =HYPERLINK("https://example.com")')),
    type: '',
  },
  'mail.eml': {
    bytes: mailOf(`Dear all,\n\n${sentence('36.4')}\n\nAna`, [{ name: 'note.txt', bytes: 'The roof is red.' }]),
    type: 'message/rfc822',
  },
  'talk.msg': {
    bytes: msgOf({
      subject: 'Talk',
      from: ['Ana Berg', 'ana@alder.example'],
      to: [],
      date: '2026-03-02T09:00:00Z',
      body: sentence('28.4'),
      attachments: [{ name: 'list.txt', bytes: 'The door is green.' }],
    }),
    type: '',
  },
  'minutes.md': {
    bytes: Buffer.from(
      `# Minutes\n\n- **Point 1**: see [here](javascript:${ran})\n\n${sentence('37.5')}\n\n| Item | Cost |\n|---|---|\n| Roof | EUR 5 |\n\n<script>${ran}</script>\n`,
    ),
    type: 'text/markdown',
  },
  'sketch.svg': {
    bytes: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" onload="${ran}">\n<script>${ran}</script>\n<image href="https://example.com/z.png"/>\n\n${sentence('27.3')}\n\n</svg>`,
    ),
    type: 'image/svg+xml',
  },
  'diary.html': { bytes: Buffer.from(hostileHtml), type: 'text/html' },
  'list.csv': { bytes: Buffer.from(`Item,Note\nWorks,"${sentence('39.7')}"\n`), type: 'text/csv' },
}

/** What a person sees marked, in the kind of original it is. */
const marked: Record<string, string> = {
  'contract.pdf': '.pdf-page[data-page="400"] .page-mark.main',
  'letter.docx': '.word mark.main',
  'draft.docx': '.word mark.main',
  'note.odt': '.word mark.main',
  'budget.ods': '.grid-table td.marked.main',
  'deck.pptx': '.slide[aria-label="Slide 2"] mark.main',
  'plan.xlsx': '.grid-table td.marked.main',
  'mail.eml': '.mail-head + .formatted mark.main',
  'talk.msg': '.mail-head + .formatted mark.main',
  'minutes.md': '.formatted mark.main',
  'sketch.svg': '.text.raw mark.main',
  'diary.html': '.from-html mark.main',
  'list.csv': '.grid-table td.marked.main',
}

/** Looked at by axe at every width. */
const looked = ['contract.pdf', 'letter.docx', 'draft.docx', 'deck.pptx', 'plan.xlsx', 'diary.html']

export async function checkOriginals(run: DeskRun, key: string): Promise<void> {
  const client = createClient({ url: run.url, tenantKey: key })
  await handIn(client, caseId, { ...files, [archive]: { bytes: papers } })
  for (const name of [...Object.keys(files), archive]) {
    const { status: outcome } = await outcomeOf(client, caseId, name)
    if (outcome !== 'indexed') run.fault(`originals: ${name} is ${outcome}`)
  }
  // What takes long to read is read while the first are looked at.
  await handIn(client, hugeCase, huge())
  await handIn(client, scanCase, scans())
  const { context, page: desk } = await open(run, key)
  await desk.getByText('Live', { exact: true }).waitFor()
  for (const name of Object.keys(files)) await checkOriginal(run, desk, client, name)
  await checkArchive(run, desk, client)
  await checkText(run, desk)
  await checkSide(run, desk)
  await checkHuge(run, desk, client)
  await checkScan(run, desk, client)
  await checkPicture(run, desk, client)
  await checkTiff(run, desk, client)
  await context.close()
}

async function handIn(client: Client, scopeId: string, given: Readonly<Record<string, { bytes: Buffer; type?: string }>>): Promise<void> {
  for (const [name, { bytes, type }] of Object.entries(given)) {
    const file = new Blob([new Uint8Array(bytes)], type === undefined ? {} : { type })
    await client.ingestFile(file, { scope_id: scopeId, document_id: name, name })
  }
}

/** The address of the sentence within a document. */
async function placeOf(client: Client, name: string): Promise<string> {
  const claims = await client.claims(caseId, { document_id: name, state: 'all', limit: 200 }).toArray(1000)
  const claim = claims.find(each => each.quote?.includes('Revenue of Aurelia Holding'))
  return `#/cases/${caseId}/documents/${name}/${claim?.claim_id ?? 'none'}`
}

async function checkOriginal(run: DeskRun, desk: Page, client: Client, name: string): Promise<void> {
  const { fault } = run
  const place = await placeOf(client, name)
  const asked = await watchOriginal(desk)
  await goTo(desk, place)
  const mark = desk.locator(marked[name] as string).first()
  const started = Date.now()
  await mark.waitFor({ timeout: 30_000 }).catch(() => fault(`originals: nothing is marked in ${name}`))
  console.log(`originals: ${name} shown with its passage marked after ${Date.now() - started} ms`)
  const pane = desk.getByRole('region', { name: 'Text', exact: true })
  const [outer, inner] = [await pane.boundingBox(), await mark.boundingBox()]
  if (!outer || !inner || inner.y < outer.y || inner.y + inner.height > outer.y + outer.height + 1)
    fault(`originals: the mark in ${name} is not in view`)
  if (
    (await desk
      .locator('#desk script, #desk img, #desk iframe, #desk form:not([class]), #desk [href^="javascript"], #desk svg:not([class])')
      .count()) > 0
  )
    fault(`originals: ${name} became an element`)
  if ((await desk.title()).includes('ran')) fault(`originals: ${name} ran`)
  await picture(run, desk, `original-${name.replace('.', '-')}`)
  if (name === 'letter.docx') {
    await desk.locator('.word del', { hasText: 'EUR 100' }).waitFor()
    await desk.locator('.word ins', { hasText: 'EUR 120' }).waitFor()
  }
  if (name === 'draft.docx') await desk.locator('.word .remark', { hasText: 'Comment by Ben Roth on 2026-03-02: Is that so?' }).waitFor()
  if (name === 'deck.pptx') await desk.locator('.slide-notes', { hasText: 'Say more.' }).waitFor()
  if (name === 'mail.eml') await desk.locator('.mail-head').getByRole('link', { name: 'note.txt' }).waitFor()
  const { bytes, requests, firstPage } = await asked()
  if (looked.includes(name)) await lookAtEvery(run, desk, `original-${name.replace('.', '-')}`)
  if (name === 'contract.pdf') {
    const pages = await desk.locator('.pdf-page canvas').count()
    if (pages > 5) fault(`originals: ${pages} of 500 pages are in memory`)
    if (firstPage !== '400') fault(`originals: page ${firstPage} is drawn before the one that is wanted`)
    if (requests > 10 || bytes > 1_000_000) fault(`originals: page 400 of 500 needs ${bytes} bytes of the file in ${requests} requests`)
  }
}

/** What is asked of an original from now on until it is called, and which page is drawn first. */
async function watchOriginal(desk: Page) {
  const parts: string[] = []
  const note = (request: Request) => {
    if (request.url().includes('/original?')) parts.push(request.headers()['range'] ?? 'all')
  }
  desk.on('request', note)
  await desk.evaluate(() => {
    delete document.body.dataset['firstPage']
    const seen = new MutationObserver(() => {
      const drawn = document.querySelector<HTMLElement>('.pdf-page')
      if (drawn === null) return
      document.body.dataset['firstPage'] = drawn.dataset['page']
      seen.disconnect()
    })
    seen.observe(document.body, { childList: true, subtree: true })
  })
  return async () => {
    desk.off('request', note)
    const bytes = parts.map(each => /(\d+)-(\d+)/.exec(each) ?? []).reduce((sum, [, from, to]) => sum + Number(to) - Number(from) + 1, 0)
    return { bytes, requests: parts.length, firstPage: await desk.evaluate(() => document.body.dataset['firstPage']) }
  }
}

const archive = 'papers.zip'
const papers = zipOf({ '../old/roof.txt': 'The roof is blue.', 'new/wall.txt': 'The wall is white.' })

/** An archive leads to the documents from it, and they lead back. */
async function checkArchive(run: DeskRun, desk: Page, client: Client): Promise<void> {
  await goTo(desk, `#/cases/${caseId}/documents/${archive}`)
  await desk.locator('.archive-files').getByRole('link', { name: 'old/roof.txt' }).waitFor()
  await picture(run, desk, 'original-archive')
  await desk.locator('.archive-files').getByRole('link', { name: 'new/wall.txt' }).click()
  await desk.getByText('Came with').getByRole('link', { name: archive }).waitFor()
  await goTo(desk, await placeOf(client, 'list.csv'))
}

const scanCase = 'originals-scans'

const scans = () => {
  const sample = (name: string) => readFileSync(new URL(`../test/files/samples/${name}`, import.meta.url))
  return {
    'scan.pdf': { bytes: sample('scan.pdf') },
    'deposit.jpg': { bytes: sample('deposit.jpg') },
    'fax.tif': { bytes: Buffer.from(tiffOf([1, 2].map(page => ({ picture: linesOf(page as 1 | 2, 200), orientation: 1 })))) },
  }
}

/** A statement is marked on the picture of its page, and a word of it is corrected there. */
async function checkScan(run: DeskRun, desk: Page, client: Client): Promise<void> {
  const name = 'scan.pdf'
  await outcomeOf(client, scanCase, name)
  const claims = await client.claims(scanCase, { document_id: name, limit: 200 }).toArray(1000)
  const claim = claims.find(each => each.quote?.includes('12,500'))
  await goTo(desk, `#/cases/${scanCase}/documents/${name}/${claim?.claim_id ?? 'none'}`)
  await desk.locator('.pdf-page[data-page="1"] .page-mark.main').first().waitFor()
  // Another statement of the page is the one that is marked, and back.
  const next = claims.find(each => each.page === claim?.page && each.claim_id !== claim?.claim_id && each.start !== claim?.start)
  for (const each of [next, claim]) {
    await desk
      .locator('.aside .items button')
      .nth(claims.findIndex(({ claim_id: id }) => id === each?.claim_id))
      .click()
    await desk.locator(`.page-mark.main[data-id="${each?.claim_id}"]`).first().waitFor()
  }
  const word = desk.locator('.pdf-page[data-page="1"] .scan-words').getByRole('button', { name: '12,500', exact: true })
  const group = desk.getByRole('group', { name: 'Correct a word' })
  // While somebody corrects another one, which moves the places of all behind it, nothing is corrected at the old place.
  await word.click()
  await group.waitFor()
  const [other] = await client.words(scanCase, name, { page: 1, limit: 1 }).toArray(1)
  await client.correctWord(scanCase, name, { revision: 1, start: other?.start ?? 0, text: `${other?.text}, rather`, by: 'r.roe' })
  await group.waitFor({ state: 'detached' })
  await word.click()
  await group.getByLabel('The page says').fill('12,900')
  await group.getByLabel('Your name').fill('j.doe')
  await picture(run, desk, 'original-scan')
  await group.getByRole('button', { name: 'Correct the word' }).click()
  await desk.getByText('“12,500” on page 1 reads “12,900”, says j.doe.').waitFor()
  await outcomeOf(client, scanCase, name)
  if (!(await client.documentText(scanCase, name)).includes('12,900')) run.fault('originals: a corrected word is not in the text')
  await desk.locator('.pdf-page[data-page="1"] .scan-words').getByRole('button', { name: '12,900', exact: true }).waitFor()
  await picture(run, desk, 'original-scan-corrected')
}

/** The service takes no sheet of a million rows; should one come all the same, the page says so and goes on with the text as read. */
async function checkMillionRows(desk: Page, scopeId: string): Promise<void> {
  const body = sheet(Array.from({ length: 1_000_000 }, (_, n) => row(n + 1, 'x')).join(''))
  await desk.route(/\/original\?/, route => route.fulfill({ body }))
  await goTo(desk, `#/cases/${scopeId}/documents/many.xlsx`)
  await desk.getByText(/^The original cannot be shown here .* This is the text as read\.$/).waitFor()
  await desk.getByRole('region', { name: 'Text', exact: true }).getByText('The office is in Kiel.').first().waitFor({ state: 'attached' })
  await desk.unrouteAll({ behavior: 'wait' })
}

/** A photograph is shown as it is, with what was recognised marked on it. */
async function checkPicture(run: DeskRun, desk: Page, client: Client): Promise<void> {
  const name = 'deposit.jpg'
  await outcomeOf(client, scanCase, name)
  const [claim] = await client.claims(scanCase, { document_id: name, limit: 1 }).toArray(1)
  await goTo(desk, `#/cases/${scanCase}/documents/${name}/${claim?.claim_id ?? 'none'}`)
  await desk.locator('.picture .page-mark.main').first().waitFor()
  if (!(await isDrawn(desk.locator('.picture canvas')))) run.fault('originals: a picture is not drawn')
  await picture(run, desk, 'original-picture')
}

/** Browsers draw no TIFF: its pages are drawn as those of a PDF are, with what was recognised on each. */
async function checkTiff(run: DeskRun, desk: Page, client: Client): Promise<void> {
  const name = 'fax.tif'
  await outcomeOf(client, scanCase, name)
  await goTo(desk, `#/cases/${scanCase}/documents/${name}`)
  // So short that the second may stand in the middle of the pane.
  await desk.getByText(/^page [12] of 2$/).waitFor()
  await desk.locator('.pdf-page[data-page="1"] .scan-words').getByRole('button').first().waitFor()
  if (!(await isDrawn(desk.locator('.pdf-page[data-page="2"] canvas')))) run.fault('originals: a page of a TIFF is not drawn')
  await picture(run, desk, 'original-tiff')
}

/** It is not all white. */
function isDrawn(canvas: Locator): Promise<boolean> {
  return canvas.evaluate((drawn: HTMLCanvasElement) => {
    const dots = drawn.getContext('2d')?.getImageData(0, 0, drawn.width, drawn.height).data ?? []
    return drawn.width > 100 && dots.some((value, index) => index % 4 === 0 && value < 100)
  })
}

/** The text as it was read is one key away, and the way back too. */
async function checkText(_run: DeskRun, desk: Page): Promise<void> {
  await desk.getByRole('heading', { level: 2 }).click()
  await desk.keyboard.press('t')
  await desk.locator('.text.raw').waitFor()
  await desk.keyboard.press('t')
  await desk.locator('.grid-table').waitFor()
}

/** Two papers of different kinds beside each other, each at its passage. */
async function checkSide(run: DeskRun, desk: Page): Promise<void> {
  await goTo(desk, `#/cases/${caseId}/contradictions`)
  await desk.locator('.pane .page-mark.main, .pane mark.main, .pane td.marked').first().waitFor()
  await desk.getByRole('heading', { level: 3, name: /^Revenue.*: EUR [\d.]+M or EUR [\d.]+M\?$/ }).waitFor()
  await desk.getByText(/^EUR [\d,]+, [\d.]+ % apart$/).waitFor()
  for (const width of [1400, 390]) {
    await desk.setViewportSize({ width, height: 900 })
    const button = desk.getByRole('button', { name: 'Decide', exact: true })
    const place = await button.boundingBox()
    if (place === null || place.y < 0 || place.y + place.height > 900)
      run.fault(`Decide is not in view at ${width} px: ${JSON.stringify(place)}`)
    await picture(run, desk, `original-sides-${width}`)
  }
  await desk.getByRole('button', { name: /^B: / }).click()
  await desk.getByRole('region', { name: 'Side B' }).waitFor()
  if (await desk.getByRole('region', { name: 'Side A' }).isVisible()) run.fault('both papers are shown where one fits')
  await desk.setViewportSize({ width: 1400, height: 900 })
  // After a verdict is chosen the reason is asked for, and what is typed there acts on nothing.
  await desk.getByRole('heading', { level: 3, name: /^Revenue/ }).click()
  await desk.keyboard.press('b')
  await desk.getByRole('textbox', { name: 'Reason' }).and(desk.locator(':focus')).waitFor()
  await desk.getByText(/stops? counting/).waitFor()
  await desk.keyboard.type('a b x j')
  await desk.locator('[data-verdict=b][aria-pressed=true]').waitFor()
  await desk.getByText('Everything the case says on this').click()
  await desk.locator('.said').first().waitFor()
}

const hugeCase = 'originals-huge'

function huge() {
  const rows = Array.from({ length: 20_000 }, (_, n) => row(n + 1, n === 19_000 ? 'The office is in Kiel.' : 'x')).join('')
  const cut = readFileSync(new URL('../test/files/samples/lease.pdf', import.meta.url)).subarray(0, 2000)
  return {
    'many.xlsx': { bytes: sheet(rows) },
    'many.pdf': { bytes: pdfOf(Array.from({ length: 10_000 }, (_, n) => [`Page ${n + 1}`])) },
    'broken.pdf': { bytes: Buffer.concat([cut, Buffer.from('%%EOF')]) },
  }
}

/** A sheet of very many rows and a PDF of very many pages are shown in part, at once. */
async function checkHuge(run: DeskRun, desk: Page, client: Client): Promise<void> {
  for (const name of ['many.xlsx', 'many.pdf', 'broken.pdf']) await outcomeOf(client, hugeCase, name)
  await goTo(desk, `#/cases/${hugeCase}/documents/many.xlsx`)
  await desk.getByText('Rows 1 to 200').waitFor()
  if ((await desk.locator('.grid-table tr').count()) > 201) run.fault('originals: more rows than fit are in memory')
  const asked = await watchOriginal(desk)
  await goTo(desk, `#/cases/${hugeCase}/documents/many.pdf`)
  await desk.getByText('of 10,000').waitFor()
  // All its pages hang on one list: every one of its 20 parts is wanted, together with others where the machine is quick enough, and none twice.
  const { requests } = await asked()
  if (requests > 20) run.fault(`originals: ${requests} requests for a page of 10,000`)
  const drawn = await desk.locator('.pdf-page canvas').count()
  if (drawn > 5) run.fault(`originals: ${drawn} pages of 10,000 are in memory`)
  await checkMillionRows(desk, hugeCase)
}
