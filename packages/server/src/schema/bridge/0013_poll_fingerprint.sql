-- Registries use message ids again: a message is the same only where it also says the same and was queued at the same time.

alter table poll_message add column fingerprint text not null default '';
alter table poll_message drop constraint poll_message_pkey;
alter table poll_message add primary key (registry_id, message_id, fingerprint);
