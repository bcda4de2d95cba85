/** A mail written out, with what is attached to it. */

export interface MailPart {
  name: string
  bytes: string | Buffer
}

export function mailOf(text: string, parts: readonly MailPart[] = []): Buffer {
  const boundary = `part-${text.length}-${parts.length}-${Math.random().toString(36).slice(2)}`
  const attached = parts.map(({ name, bytes }) =>
    [
      `--${boundary}`,
      `Content-Type: ${name.endsWith('.eml') ? 'message/rfc822' : 'application/octet-stream'}`,
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(bytes as string).toString('base64'),
    ].join('\r\n'),
  )
  const head = [
    'From: Ana Berg <ana@alder.example>',
    'To: Board <board@alder.example>',
    'Subject: Papers',
    'Date: Mon, 2 Mar 2026 09:00:00 +0000',
    'MIME-Version: 1.0',
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
  ]
  const body = [`--${boundary}`, 'Content-Type: text/plain; charset=utf-8', '', text, ...attached, `--${boundary}--`, '']
  return Buffer.from([...head, '', ...body].join('\r\n'))
}
