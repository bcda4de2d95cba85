/** Said where a passage cannot be marked in the original without guessing. */

export function NoMark({ children }: { children?: string }) {
  return (
    <p class="no-mark small" role="note">
      {children ?? 'The original does not read here as it did when its text was made, so nothing is marked on it.'} The passage is marked in
      the text as read (<kbd>t</kbd>).
    </p>
  )
}
