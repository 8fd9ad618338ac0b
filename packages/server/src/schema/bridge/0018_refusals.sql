-- Failed logins, missing scopes and throttled calls of each reseller by the minute; kept for a day.
create table refusal_count (
  reseller_id bigint not null references reseller (id),
  kind text not null check (kind in ('login', 'scope', 'throttle')),
  minute timestamptz not null,
  count integer not null,
  primary key (reseller_id, kind, minute)
);
create index refusal_count_age on refusal_count (minute);
alter table refusal_count enable row level security;
create policy own on refusal_count using (is_tenant(reseller_id));
grant select, insert, update, delete on refusal_count to namehold_app;
