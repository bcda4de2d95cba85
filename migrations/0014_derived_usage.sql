-- What is made of texts takes disk too, often more than the texts: it counts towards the limit of bytes, at a fixed cost
-- for each row that the scope's state has numbered. Those counts are kept by the transaction that writes the rows.
drop function concord_usage(text);
create function concord_usage(of_tenant text, out documents bigint, out bytes bigint, out scopes bigint, out derived_bytes bigint)
  language sql stable as $$
  with kept as (
    select h.registered + h.attached + h.queued + h.processing + h.indexed + h.held + h.rejected + h.quarantined as documents, h.bytes,
      coalesce(512 * t.next_claim_no + 1024 * t.next_contradiction_no, 0) as derived
    from scope_heads h
    join scopes s on s.tenant_id = h.tenant_id and s.scope_no = h.scope_no
    left join scope_states t on t.tenant_id = s.tenant_id and t.scope_no = s.scope_no and t.generation = s.generation
    where h.tenant_id = of_tenant
  )
  select coalesce(sum(documents), 0)::bigint, coalesce(sum(bytes + derived), 0)::bigint, count(*), coalesce(sum(derived), 0)::bigint from kept
$$;
