-- oldest release: 0.1.0
-- What was found at the targets of forwarding: each is looked at after it was set, and now and then again.
create table forward_target (
  domain_id bigint not null,
  reseller_id bigint not null,
  -- As the rules have it, and its host: one host is asked by one at a time.
  target text not null,
  host text not null,
  -- The host of a rule that shows it in a frame; null: requests are sent there.
  frame_host text,
  warnings text[] not null default '{}',
  checked_at timestamptz,
  -- By the database's clock.
  check_at timestamptz not null default now(),
  primary key (domain_id, target),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index forward_target_check on forward_target (check_at);
alter table forward_target enable row level security;
create policy own on forward_target to namehold_app using (reseller_id = (select current_tenant()));
create policy clockwork on forward_target to namehold_clockwork using (true) with check (true);
grant select, insert, update, delete on forward_target to namehold_app;

insert into forward_target (domain_id, reseller_id, target, host, frame_host)
select f.domain_id, f.reseller_id, r ->> 'target', coalesce(substring(r ->> 'target' from '^https?://(\[[^]]*\]|[^/:?#]+)'), ''),
       min(r ->> 'host') filter (where jsonb_typeof(r -> 'masking') = 'object')
from forwarding f, jsonb_array_elements(f.rules) r
where (r ->> 'enabled')::boolean and r ->> 'target' is not null group by 1, 2, 3, 4
on conflict do nothing;
