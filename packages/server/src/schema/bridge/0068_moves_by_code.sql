-- oldest release: 0.1.0
-- Codes that an account has tried for names of others, today: who guesses is stopped.
create table move_try (
  reseller_id bigint primary key references reseller (id),
  day date not null,
  tries integer not null
);
alter table move_try enable row level security;
create policy own on move_try using (is_tenant(reseller_id));
