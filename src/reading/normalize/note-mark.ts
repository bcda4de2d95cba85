/**
 * Whether a superscript is the mark of a footnote, which must not be read as part of the figure before it
 * (50 with a raised 2 is not 502), rather than a power of a unit (m²) or the end of an ordinal (4th).
 */
export function isNoteMark(before: string, content: string): boolean {
  const mark = content.trim()
  if (!/^[([]?(?:\d{1,3}|[a-z]{1,2}|[*†‡§¶]{1,3})(?:[,;]\s?(?:\d{1,3}|[a-z]))*[)\]]?$/i.test(mark)) return false
  if (/^(?:st|nd|rd|th|e|er|o|a|me)$/i.test(mark)) return !/\d$/.test(before)
  return !(/^[23]$/.test(mark) && /(?:^|[^a-z])(?:[kcmd]?m|ft|in|yd|mi|s)$/i.test(before))
}
