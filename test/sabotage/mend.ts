/** A fault that was mended once, the change to the code that brings it back, and the test that notices it. */

export interface Mend {
  fault: string
  file: string
  /** What stands there once, and what stood there before. */
  changes: readonly (readonly [now: string, before: string])[]
  test: string
  /** Part of the test's name. */
  name: string
}
