-- oldest release: 0.1.0
-- A name that nobody pays stops to resolve for some days before it is deleted, where its class says so (decision 0040).
alter table domain
  -- A cause of a hold beside `suspended` and `unverified`: lifted by a renewal, by nothing else.
  add column unpaid boolean not null default false,
  add column unpaid_at timestamptz;
create index domain_unpaid on domain (registry_id) where unpaid;

-- The notice at the end of a term has a mark of its own now; who was told is not told again.
insert into expiry_mark (domain_id, reseller_id, end_date, mark, at)
select domain_id, reseller_id, end_date, 'notice-0', at from expiry_mark where mark = 'expired'
on conflict do nothing;
