/** Text the database can hold at all: an id with anything else in it cannot exist, and asking for it is no failure. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && !/\p{Surrogate}/u.test(text)
}
