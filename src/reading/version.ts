/**
 * Which rules read and compared a document. Claims of two readers are not compared: what they keep of a statement may differ. A
 * new comparer judges the claims of the same reader again, without their texts. In a file of its own, so that whoever only needs
 * the name does not load the reader.
 */
export const READER_NAME = 'reader'
/** What is kept of a text. */
export const READER_VERSION = '33'
/** What is concluded from what was kept. */
export const COMPARER_VERSION = '14'
/** Both, as documents and certificates name them. */
export const RULES_VERSION = `${READER_VERSION}.${COMPARER_VERSION}`
