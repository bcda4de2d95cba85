/** Whether two documents are of one house. */
import { folded } from './typed-value.js'

/** "Brandt AG" and "Brandt AG, Treasury" are one house; "Claims, Alpha" and "Claims, Beta" are two, and so are two who share a town or a title. */
export function isSameIssuer(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return false
  if (folded(a) === folded(b)) return true
  const parts = (issuer: string) =>
    issuer
      .split(/[,;()]|\s[-–—/]\s|\s—|—\s/)
      .map(folded)
      .filter(part => part !== '')
  const [[first = '', ...of], [other = '', ...further]] = [parts(a), parts(b)]
  if (first !== other || first.length < 6) return false
  return of.every(part => further.includes(part)) || further.every(part => of.includes(part))
}
