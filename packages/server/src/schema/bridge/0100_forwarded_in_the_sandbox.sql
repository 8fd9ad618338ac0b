-- oldest release: 0.1.0
-- The mailbox of the sandbox also keeps what was forwarded there.
alter table sandbox_mail alter column notice_id drop not null;
alter table sandbox_mail add column forward_id text;
alter table sandbox_mail add constraint sandbox_mail_of_one check ((notice_id is null) <> (forward_id is null));
