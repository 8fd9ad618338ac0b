-- oldest release: 0.1.0
-- The holder's e-mail address is confirmed within days of a registration, a transfer or a change of it (decision 0037).
alter table domain
  -- Since when the holder has been asked; null: never. And until when it must be confirmed; null: nothing is waited for.
  add column verify_since timestamptz,
  add column verify_by timestamptz,
  add column verify_cause text check (verify_cause in ('registration', 'transfer', 'change')),
  add column verify_reminded_at timestamptz,
  -- Taken out of the DNS for want of it: a cause of a hold beside `suspended`, lifted by nothing else.
  add column unverified boolean not null default false,
  -- When the clockwork looks at it next, where something stood in the way.
  add column verify_look_at timestamptz;
create index domain_verify on domain (verify_by) where verify_by is not null;
create index domain_unverified on domain (id) where unverified;
grant update (verify_since, verify_by, verify_cause, verify_reminded_at, verify_look_at) on domain to namehold_app;

-- A link in a mail. The token is only in that mail; here is its hash.
create table confirmation (
  fingerprint text primary key,
  reseller_id bigint not null references reseller (id),
  domain_id bigint not null,
  address_key text not null,
  language text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  used_address text,
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index confirmation_domain on confirmation (domain_id, created_at);
create index confirmation_address on confirmation (reseller_id, address_key, created_at);
alter table confirmation enable row level security;
create policy own on confirmation using (is_tenant(reseller_id));
grant select, insert on confirmation to namehold_app;
