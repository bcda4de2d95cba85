import { problems } from '../contract/problems.js'

/** Where pages for people are, which are no operations. */
export const pagePaths: readonly string[] = [
  '/',
  '/desk',
  '/desk/',
  '/desk/desk.js',
  '/desk/desk.css',
  '/docs',
  '/docs/',
  '/openapi.json',
  '/problems',
  '/problems/',
  ...Object.keys(problems).map(code => `/problems/${code}`),
]
