-- oldest release: 0.2.0
-- Mail with the same key is sent once a day. Null: each one is sent.
alter table notice add column fold_key text;
create index notice_fold on notice (reseller_id, fold_key, queued_at) where fold_key is not null;
