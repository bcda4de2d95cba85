/** Hands something to the browser to keep as a file. */

export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name.replaceAll(/[\\/:]/g, '-') }).click()
  URL.revokeObjectURL(url)
}
