/**
 * Which reader read a document. Claims of two readers are not compared: what they keep of a statement may differ. In a file of
 * its own, so that whoever only needs the name does not load the reader.
 */
export const READER_NAME = 'reader'
export const READER_VERSION = '20'
