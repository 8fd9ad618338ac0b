-- The operator reads the events of all resellers, newest first.
create index event_at on event (at desc, reseller_id, number desc);
