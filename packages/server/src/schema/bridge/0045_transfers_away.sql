-- oldest release: 0.1.0
-- The last transfer to another registrar that was asked for: by whom, when, by when the registry decides by itself, what became of it, and what
-- came back with it. Stays on the tombstone.
alter table domain add column transfer_away jsonb;
create index domain_pending_transfer on domain (registry_id) where state = 'pending_transfer';
