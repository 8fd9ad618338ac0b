-- oldest release: 0.2.0
-- The last day to renew at the registry, where it is before the end of the term: an upstream may renew at the registry days before.
alter table domain add column registry_renew_by timestamptz;
create index domain_renew_by on domain (registry_renew_by) where state = 'live' and registry_renew_by is not null;
