/** What people see of a text: whether anything at all, and whether anything that could be read. */

/** Spaces of every kind, and what leaves no mark on the page: soft hyphens, joiners, variation selectors, fillers, the empty Braille pattern. */
export const unseen = String.raw`\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\u2800\u{1d159}`
/** Marks are seen on what they stand on, and alone they are no word. */
const seenPart = new RegExp(`[^${unseen}\\p{M}]`, 'u')
/** Without what stands in the place of characters (U+FFFC, U+FFFD) and the broken bar that replaces a bar in a cell: signs as well. */
const readPart = new RegExp(String.raw`(?![${unseen}\ufffc\ufffd¦])[\p{L}\p{N}\p{So}\p{Sc}]`, 'u')

export function canBeSeen(text: string): boolean {
  return seenPart.test(text)
}

/** Something in it is a letter, a digit or a sign that stands for something: strokes, points and brackets alone say nothing. */
export function canBeRead(text: string): boolean {
  return readPart.test(text)
}
