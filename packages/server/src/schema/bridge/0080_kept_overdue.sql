-- oldest release: 0.1.0
-- A name whose registry has added a year for good, because nobody deleted it in time, is kept for a while yet (decision 0046).
alter table domain add column kept_until timestamptz;
create index domain_kept on domain (registry_id, kept_until) where kept_until is not null;
