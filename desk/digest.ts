/** SHA-256 as hex. `crypto.subtle` is missing on pages that are not served securely; then there is none. */

export async function digestOf(content: ArrayBuffer): Promise<string | undefined> {
  if (crypto.subtle === undefined) return undefined
  const bytes = await crypto.subtle.digest('SHA-256', content)
  return Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
}
