-- oldest release: 0.1.0
-- Mail hosts have certificates too, by the same orders (decision 0071): such a row has a host where others have a name of somebody.
alter table certificate drop constraint certificate_pkey;
alter table certificate alter column domain_id drop not null, alter column reseller_id drop not null;
alter table certificate add unique (domain_id);
alter table certificate add column host text unique;
alter table certificate add check (num_nonnulls(domain_id, host) = 1 and (domain_id is null) = (reseller_id is null));
alter table certificate add column subject text generated always as (coalesce(host, domain_id::text)) stored primary key;

alter table certificate_order alter column domain_id drop not null, alter column reseller_id drop not null;
alter table certificate_order add column host text;
alter table certificate_order add check (num_nonnulls(domain_id, host) = 1 and (domain_id is null) = (reseller_id is null));
alter table certificate_order add column subject text generated always as (coalesce(host, domain_id::text)) stored;
drop index certificate_order_open;
create unique index certificate_order_open on certificate_order (subject) where state = 'open';
create index certificate_order_subject on certificate_order (subject);

-- What the Postfix of each mail host presents to senders, as namehold mx beside it sees it.
create table mail_host (
  host text primary key,
  -- By the database's clock.
  seen_at timestamptz not null default now(),
  -- A sender who insists on it would believe it.
  is_good boolean not null,
  -- Why it would not.
  reason text,
  not_after timestamptz
);
alter table mail_host enable row level security;
create policy clockwork on mail_host to namehold_clockwork using (true) with check (true);

-- Edges have nothing to do with those of mail hosts.
drop trigger forwarding_follows_certificate on certificate;
create trigger forwarding_follows_certificate after update on certificate for each row
  when (new.domain_id is not null and old.id is distinct from new.id) execute function forwarding_follows_certificate();
