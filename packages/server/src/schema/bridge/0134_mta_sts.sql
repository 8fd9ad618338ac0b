-- oldest release: 0.1.0
-- MTA-STS (RFC 8461) for names whose mail is forwarded (decision 0071): records in the zone, and a policy that edges serve.
alter table zone_rrset drop constraint zone_rrset_managed_by_check;
alter table zone_rrset add constraint zone_rrset_managed_by_check check (managed_by in ('url_forwarding', 'acme', 'mail_forwarding', 'mta_sts'));
alter table displaced_rrset drop constraint displaced_rrset_managed_by_check;
alter table displaced_rrset add constraint displaced_rrset_managed_by_check check (managed_by in ('url_forwarding', 'mail_forwarding', 'mta_sts'));

-- What the policy of a name asks of senders; `off`: the owner has records of its own in its place. Null: there is none.
alter table mail_domain add column sts_mode text check (sts_mode in ('testing', 'enforce', 'none', 'off'));
-- By the clock of the business: since when the name has had a policy; with `none` since when it has been taken back.
alter table mail_domain add column sts_since timestamptz;
alter table mail_domain add check ((sts_mode in ('testing', 'enforce', 'none')) is not true or sts_since is not null);

-- The policy as edges serve it. A name without rules may have one.
alter table forwarding add column mail_policy text;
drop trigger certificate_follows on forwarding;
create trigger certificate_follows after insert or update of rules, domain_id, mail_policy on forwarding
  for each row execute function certificate_follows_forwarding();

-- Reports of undelivered mail that were taken: the same one handed over again counts once.
create table mail_report (
  id text primary key,
  taken_at timestamptz not null default now()
);
create index mail_report_taken on mail_report (taken_at);
alter table mail_report enable row level security;
create policy clockwork on mail_report to namehold_clockwork using (true) with check (true);
