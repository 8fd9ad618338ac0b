-- Dates of what a registry did, kept when it happens.

alter table domain add column deleted_at timestamptz;
alter table domain add column missing_since timestamptz;

-- Names that are on their way out now: redemption began so many days before its end.
update domain d set deleted_at = d.redemption_ends_at - make_interval(days => coalesce((t.rules->'grace_days'->>'redemption')::int, 0))
  from tld t where t.name = d.tld and d.redemption_ends_at is not null and d.state <> 'removed';

create index domain_missing on domain (missing_since) where missing_since is not null and state <> 'removed';
