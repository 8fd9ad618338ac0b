-- oldest release: 0.1.0
-- How fast an account at a registry may speak, and until when nobody logs in there, over all processes that share it. By the database's clock.
create table registry_pace (
  registry_id text primary key references registry (id) on delete cascade,
  -- Commands that may leave at this moment; below zero: logins that were not put off.
  tokens double precision not null default 0,
  filled_at timestamptz not null default to_timestamp(0),
  pause_kind text check (pause_kind in ('session-limit', 'refused', 'failed')),
  pause_code integer,
  pause_ms double precision,
  paused_until timestamptz,
  -- A pause is over, and one process tries: until it is answered the others wait.
  is_trial boolean not null default false
);

-- At most a second's worth at once. `in_must`: it leaves whatever there is, and what comes after it pays.
create function registry_pace_take(in_registry text, in_rate double precision, in_wanted integer, in_must boolean, out granted integer, out wait_ms double precision)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  v_most double precision := greatest(1, floor(in_rate));
  v_tokens double precision;
begin
  perform 1 from registry_pace where registry_id = in_registry for update;
  if not found then
    insert into registry_pace (registry_id) values (in_registry) on conflict do nothing;
    perform 1 from registry_pace where registry_id = in_registry for update;
  end if;
  -- Looked at when the row is ours: whoever waited for it has waited for the time as well.
  select least(v_most, tokens + greatest(0, extract(epoch from clock_timestamp() - filled_at)) * in_rate) into v_tokens
  from registry_pace where registry_id = in_registry;
  granted := case when in_must then in_wanted else least(in_wanted, greatest(0, floor(v_tokens)))::integer end;
  wait_ms := case when granted > 0 then 0 else ceil((1 - v_tokens) / in_rate * 1000) end;
  update registry_pace set tokens = v_tokens - granted, filled_at = clock_timestamp() where registry_id = in_registry;
end
$$;
