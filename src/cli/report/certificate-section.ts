/** The certificate: what it says, whether it still stands, and how anybody can check it without the service. */

import type { Schema } from '../../contract/types.js'
import { standingOf } from '../certificate-standing.js'
import { type Html, html } from './html.js'
import { moment } from './wording.js'

export function certificateSection(certificate: Schema['Certificate'] | undefined, server: string): Html {
  return html`<section aria-labelledby="certificate"><h2 id="certificate">Certificate</h2>${certificate === undefined ? html`<p>There is none yet: it is issued when every gate has passed.</p>` : content(certificate, server)}</section>`
}

function content(certificate: Schema['Certificate'], server: string): Html {
  const said = examinedIn(certificate.certificate)
  return html`${said !== null && html`<p><strong>Nothing ${certificate.status === 'current' ? 'is' : 'was'} left to decide. ${said}</strong></p>`}<p><span class="badge ${certificate.status === 'current' ? 'resolved' : 'blocked'}">${standingOf(certificate)}</span> <code>${certificate.certificate_id}</code>, round ${certificate.round}, issued ${moment(certificate.issued_at)}, signed with key <code>${certificate.kid}</code>.</p>
<details><summary>What it says</summary><pre tabindex="0">${payloadOf(certificate.certificate)}</pre></details>
<p>To check it: <code>concord verify certificate case.jws --jwks ${server}/.well-known/jwks.json</code>, with this text as <code>case.jws</code>:</p>
<pre class="jws" tabindex="0">${certificate.certificate}</pre>`
}

/** Who compared and who signed, in the words of the certificate; null in those made before it said so. */
function examinedIn(jws: string): string | null {
  try {
    const payload = JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8')) as { examined?: { words?: unknown } }
    return typeof payload.examined?.words === 'string' ? payload.examined.words : null
  } catch {
    return null
  }
}

/** Shown for reading alone; whoever relies on it checks the signature. */
function payloadOf(jws: string): string {
  try {
    return JSON.stringify(JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString('utf8')), null, 2)
  } catch {
    return 'It cannot be read.'
  }
}
