-- oldest release: 0.1.0
-- What holders and accounts are told by mail. Written in the transaction of what caused it, sent after (decision 0036).
create table notice (
  id text primary key,
  reseller_id bigint not null references reseller (id),
  kind text not null,
  domain_id bigint,
  contact_id bigint,
  address text not null,
  recipient text not null,
  language text not null check (language in ('en', 'id')),
  sender_name text not null,
  -- Null: the sender of the installation.
  sender_address text,
  reply_to text,
  subject text not null,
  body_text text not null,
  body_html text not null,
  -- The token that takes the place of its mark in the text when it is sent; nobody has it after that.
  secret_sealed text,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'bounced')),
  -- Business time: when what it tells of happened. The others run by the database's clock.
  created_at timestamptz not null,
  queued_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  tries integer not null default 0,
  -- What the mail server, or a later report of it, said last.
  result text,
  ended_at timestamptz,
  foreign key (reseller_id, domain_id) references domain (reseller_id, id),
  foreign key (reseller_id, contact_id) references contact (reseller_id, id),
  check (secret_sealed is null or state = 'queued')
);
create index notice_due on notice (due_at) where state = 'queued';
create index notice_reseller on notice (reseller_id, id);
create index notice_domain on notice (domain_id, id) where domain_id is not null;
alter table notice enable row level security;
create policy own on notice using (is_tenant(reseller_id));
-- A parent that changes a child tells the child of it; it never reads what the child was told.
create policy child on notice for insert to namehold_app with check (
  exists (select from reseller r where r.id = reseller_id and r.parent_id = (select current_tenant())));

-- How mail of a reseller looks and what it does not send.
create table notice_brand (
  reseller_id bigint primary key references reseller (id),
  name text,
  sender_address text,
  reply_to text,
  logo_url text,
  language text check (language in ('en', 'id')),
  suppressed text[] not null default '{}',
  updated_at timestamptz not null
);
alter table notice_brand enable row level security;
create policy own on notice_brand using (is_tenant(reseller_id));

-- An account is written to by the one above it, whose row it may not see.
create function brand_above(in_reseller bigint)
returns table (name text, sender_address text, reply_to text, logo_url text)
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(b.name, p.brand_name, nullif(p.company, ''), p.name),
    case when exists (select from domain d where d.reseller_id = p.id and d.name = split_part(b.sender_address, '@', 2) and d.state = 'live')
      then b.sender_address end,
    coalesce(b.reply_to, p.email), b.logo_url
  from reseller r join reseller p on p.id = coalesce(r.parent_id, r.id) left join notice_brand b on b.reseller_id = p.id
  where r.id = in_reseller and (is_tenant(r.id) or is_tenant(r.parent_id))
$$;
grant execute on function brand_above to namehold_app;

-- Its own words for a kind of notice.
create table notice_text (
  reseller_id bigint not null references reseller (id),
  kind text not null,
  language text not null check (language in ('en', 'id')),
  subject text not null,
  body text not null,
  updated_at timestamptz not null,
  primary key (reseller_id, kind, language)
);
alter table notice_text enable row level security;
create policy own on notice_text using (is_tenant(reseller_id));

-- What is known of an address within one reseller: that somebody there confirmed it, or that mail to it comes back.
create table mail_address (
  reseller_id bigint not null references reseller (id),
  address_key text not null,
  verified_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text,
  primary key (reseller_id, address_key)
);
alter table mail_address enable row level security;
create policy own on mail_address using (is_tenant(reseller_id));

-- Sandbox mode without a mail server: what would have been sent, sealed because it holds tokens.
create table sandbox_mail (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  notice_id text not null references notice (id),
  message_sealed text not null
);
create index sandbox_mail_reseller on sandbox_mail (reseller_id, id);
alter table sandbox_mail enable row level security;
create policy own on sandbox_mail using (is_tenant(reseller_id));

grant select, insert on notice to namehold_app;
grant select, insert, update, delete on notice_brand, notice_text to namehold_app;
grant select on mail_address, sandbox_mail to namehold_app;
