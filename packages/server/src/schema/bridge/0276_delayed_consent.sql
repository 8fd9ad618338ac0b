-- oldest release: 0.1.0
-- A consent request that a daily limit delays is sent at this time. Null: none is delayed.
alter table mail_target add column request_due_at timestamptz;
create index mail_target_due on mail_target (coalesce(request_due_at, lapses_at, created_at)) where state = 'waiting';
drop index mail_target_waiting;
