/** How many documents of a scope wait to be read again, by its backlog; `h` is the head of the scope. */
export const rereadsWaiting = `(select count(b.reread) from backlog b
  join scopes s on s.tenant_id = b.tenant_id and s.scope_no = b.scope_no and s.generation = b.generation
  where b.tenant_id = h.tenant_id and b.scope_no = h.scope_no)`
