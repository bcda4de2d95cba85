/** Where the quote of a claim stands in the file its document came as: a page, a cell, a paragraph. */

/** Of the text that the claim `c` stands in, the row of its places that the offset lies in. */
const placeRow = (row: string, offset: string) => `from text_places ${row}
  where ${row}.tenant_id = c.tenant_id and ${row}.scope_no = c.scope_no and ${row}.generation = c.generation and ${row}.document_id = c.document_id
    and ${row}.revision = c.revision and ${row}.first_at <= ${offset}
  order by ${row}.first_at desc limit 1`
const lastOffset = 'greatest(c.start_at, c.end_at - 1)'

/** {kind, from, to}; null where nothing is known. As a function of the server it was planned and started for every claim of a list. */
export const claimPlaceSql = `(select json_build_object('kind', f.kind, 'from', f.labels[width_bucket(c.start_at, f.starts)],
    'to', (select t.labels[width_bucket(${lastOffset}, t.starts)] ${placeRow('t', lastOffset)}))
  ${placeRow('f', 'c.start_at')})`
