/** The certificate: what it says, whether it still stands, and how anybody can check it without the service. */

import { certificateLines, certificatePayload, lineInWords } from '../../client/certificate-lines.js'
import type { Schema } from '../../contract/types.js'
import { standingOf } from '../certificate-standing.js'
import type { Around } from './context.js'
import { type Html, html } from './html.js'
import { moment } from './wording.js'

export function certificateSection(certificate: Schema['Certificate'] | undefined, server: string, { names }: Around): Html {
  return html`<section aria-labelledby="certificate"><h2 id="certificate">Certificate</h2>${certificate === undefined ? html`<p>There is none yet: it is issued when every condition is met.</p>` : content(certificate, server, names)}</section>`
}

function content(certificate: Schema['Certificate'], server: string, names: Around['names']): Html {
  const [first, ...lines] = (certificateLines(certificate) ?? []).map(line => lineInWords(line, id => names.get(id) ?? id))
  return html`${first !== undefined && html`<p><strong>${first}</strong></p><ul>${lines.map(line => html`<li>${line}</li>`)}</ul>`}<p><span class="badge ${certificate.status === 'current' ? 'resolved' : 'blocked'}">${standingOf(certificate)}</span> <code>${certificate.certificate_id}</code>, step ${certificate.round}, issued ${moment(certificate.issued_at)}, signed with key <code>${certificate.kid}</code>.</p>
<details><summary>What it says</summary><pre tabindex="0">${payloadText(certificate.certificate)}</pre></details>
<p>To check it: <code>concord verify certificate case.jws --jwks ${server}/.well-known/jwks.json</code>, with this text as <code>case.jws</code>:</p>
<pre class="jws" tabindex="0">${certificate.certificate}</pre>`
}

/** Shown for reading alone; whoever relies on it checks the signature. */
function payloadText(jws: string): string {
  const payload = certificatePayload(jws)
  return payload === null ? 'It cannot be read.' : JSON.stringify(payload, null, 2)
}
