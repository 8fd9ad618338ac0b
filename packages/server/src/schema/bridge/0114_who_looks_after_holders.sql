-- oldest release: 0.1.0
-- Of a seller and the platform that it buys from one looks after holders, and hands on what they confirm (decision 0055).
alter table reseller add column looks_after_holders boolean not null default false;
alter table domain
  -- From when on its registry is to be told that the holder has confirmed; null: there is nothing to tell.
  add column verify_tell_at timestamptz,
  -- Its registry itself has it on hold, and for want of what.
  add column registry_hold text check (registry_hold in ('unverified', 'other'));
create index domain_verify_tell on domain (verify_tell_at) where verify_tell_at is not null;
grant update (verify_tell_at) on domain to namehold_app;
