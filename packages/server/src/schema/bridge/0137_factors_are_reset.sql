-- oldest release: 0.1.0
-- Somebody of the account takes a person's second factors away, a day after it said so (decision 0074). The person is told, and can keep them.
create table factor_reset (
  person_id text primary key references person (id),
  reseller_id bigint not null references reseller (id),
  asked_by text not null,
  created_at timestamptz not null,
  due_at timestamptz not null
);
create index factor_reset_due on factor_reset (due_at);

-- A wish for another password, by whoever named an address. Written for every address, known or not: who asks learns nothing by it.
create table recovery_wish (
  id text primary key,
  email text not null,
  created_at timestamptz not null
);

-- An account may demand a second factor of everybody; `membership.factor_due_at` says until when.
alter table reseller add column demands_factor boolean not null default false;

do $$
declare
  name text;
begin
  foreach name in array array['factor_reset', 'recovery_wish'] loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy clockwork on %I to namehold_clockwork using (true) with check (true)', name);
  end loop;
end
$$;
