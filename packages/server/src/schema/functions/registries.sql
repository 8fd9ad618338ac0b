-- Requests to upstreams, which several processes may send at the same time.

-- Whether a request may be sent now (`ask`), is being sent by another process (`wait`), was answered a moment ago (`answer`), or was sent
-- too often (`limited`). An answer that is older than in_fresh is used only if the request may not be repeated yet.
create or replace function upstream_request_take(
  in_registry text, in_request text, in_names text[], in_caller text, in_burst double precision, in_rate double precision,
  in_fresh_ms double precision, in_ask_ms double precision, out decision text, out answer text, out wait_ms double precision
)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  r upstream_request;
  v_tokens double precision;
begin
  select * into r from upstream_request where registry_id = in_registry and request = in_request for update;
  if not found then
    insert into upstream_request (registry_id, request, names, tokens, filled_at)
    values (in_registry, in_request, in_names, in_burst, clock_timestamp()) on conflict do nothing;
    select * into r from upstream_request where registry_id = in_registry and request = in_request for update;
  end if;
  -- Read after the row is locked, because the wait for the lock counts too.
  v_tokens := least(in_burst, r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.filled_at)) * in_rate);
  wait_ms := 0;
  if r.asked_until > clock_timestamp() then
    decision := 'wait';
  elsif r.answer_sealed is not null and r.asked_at > clock_timestamp() - in_fresh_ms * interval '1 millisecond' then
    decision := 'answer';
    answer := r.answer_sealed;
  elsif v_tokens >= 1 then
    decision := 'ask';
    update upstream_request set tokens = v_tokens - 1, filled_at = clock_timestamp(), asked_by = in_caller,
      asked_at = clock_timestamp(), asked_until = clock_timestamp() + in_ask_ms * interval '1 millisecond', answer_sealed = null
    where registry_id = in_registry and request = in_request;
  elsif r.answer_sealed is not null then
    decision := 'answer';
    answer := r.answer_sealed;
  else
    decision := 'limited';
    wait_ms := ceil((1 - v_tokens) / in_rate * 1000);
  end if;
end
$$;
