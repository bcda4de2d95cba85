/** What submitters say their documents are about. */

/** Of the revision a row of `alias` names: said with it, or with the latest before it. */
export function aboutSql(alias: string): string {
  const same = ['tenant_id', 'scope_no', 'generation', 'document_id'].map(column => `said.${column} = ${alias}.${column}`).join(' and ')
  return `(select said.about from documents said where ${same} and said.revision <= ${alias}.revision and said.about is not null
    order by said.revision desc limit 1)`
}
