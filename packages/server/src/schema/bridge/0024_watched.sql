-- When a name was last compared with its registry as a whole, and whether it is looked at every few minutes.
alter table domain
  add column compared_at timestamptz,
  add column watched boolean not null default false,
  add column watched_by_operator boolean not null default false;
update domain set compared_at = synced_at;
grant update (watched) on domain to namehold_app;
create index domain_compared on domain (compared_at nulls first) where state not in ('removed', 'pending');
create index domain_watched on domain (compared_at nulls first) where (watched or watched_by_operator) and state not in ('removed', 'pending');
