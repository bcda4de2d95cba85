/** One page with everything in it, what is open first: no script, no request, readable by people, printers and screen readers. */

import { certificateSection } from './certificate-section.js'
import { contradictionsSection } from './contradictions-section.js'
import { convergenceFigure } from './convergence-figure.js'
import type { ReportData } from './gather.js'
import { html, trusted } from './html.js'
import { decisionsSection, documentsSection } from './lists-section.js'
import { dimensions, gates, glance, pageHead } from './overview.js'
import { possibleSection, supersessionsSection } from './possible-section.js'
import { style } from './style.js'

export function reportPage(data: ReportData): string {
  const { summary, server } = data
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${summary.display_name ?? summary.scope_id} – report</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#content">To the content</a>
${pageHead(data)}
<main id="content">
${certificateSection(data.certificate, server, data.around)}
${contradictionsSection(data.contradictions, summary.contradictions, data.around)}
${possibleSection(data.possible, summary.contradictions.unsure, data.around)}
${supersessionsSection(data.supersessions, data.around)}
${documentsSection(data.documents, summary.documents.total)}
${decisionsSection(data.decisions)}
${glance(summary)}
<section aria-labelledby="convergence"><h2 id="convergence">Convergence over time</h2>${convergenceFigure(data.history)}</section>
${dimensions(summary)}
${gates(summary)}
</main>
<footer><p class="muted">Quotes are exact slices of the documents as they were submitted.</p></footer>
</body>
</html>
`
  return page.text
}
