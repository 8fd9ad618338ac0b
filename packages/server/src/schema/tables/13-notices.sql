-- oldest release: 0.2.0
-- Notices by mail, brands and brand hosts.

-- Mail to registrants, customers and accounts, stored in the transaction of its cause and sent afterwards (decision 0036).
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
  -- The token that is inserted in the text when it is sent.
  secret_sealed text,
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed', 'bounced')),
  -- Business time of the cause. The other times are by the clock of the database.
  created_at timestamptz not null,
  queued_at timestamptz not null default now(),
  due_at timestamptz not null default now(),
  tries integer not null default 0,
  -- The last answer of the mail server, or a later report.
  result text,
  ended_at timestamptz,
  -- The limit because of which the mail was not sent.
  suppressed_by text check (suppressed_by in ('account', 'mailbox')),
  -- Distinguishes budgets of one kind of mail. Mail to unproven addresses counts separately.
  purpose text,
  is_proven boolean not null default false,
  foreign key (reseller_id, domain_id) references domain (reseller_id, id),
  foreign key (reseller_id, contact_id) references contact (reseller_id, id),
  check (secret_sealed is null or state = 'queued')
);
create index notice_due on notice (due_at) where state = 'queued';
create index notice_reseller on notice (reseller_id, id);
create index notice_domain on notice (domain_id, id) where domain_id is not null;
create index notice_queued on notice (queued_at);
create index notice_account_day on notice (reseller_id, queued_at) include (kind, suppressed_by);
create index notice_mailbox_day on notice (mailbox_key(address), queued_at);
create index notice_suppressed on notice (queued_at) where suppressed_by is not null;
alter table notice enable row level security;

-- How mail of a reseller looks, and which notices it does not send.
create table notice_brand (
  reseller_id bigint primary key references reseller (id),
  name text,
  sender_address text,
  reply_to text,
  logo_url text,
  language text check (language in ('en', 'id')),
  suppressed text[] not null default '{}',
  updated_at timestamptz not null,
  reply_to_since timestamptz default now(),
  sender_address_since timestamptz default now()
);
alter table notice_brand enable row level security;

-- A reseller's own text for a kind of notice.
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

-- Per reseller: whether an address is confirmed, or its mail is returned.
create table mail_address (
  reseller_id bigint not null references reseller (id),
  address_key text not null,
  verified_at timestamptz,
  bounced_at timestamptz,
  bounce_reason text,
  primary key (reseller_id, address_key)
);
alter table mail_address enable row level security;

-- Mail of the sandbox mode, which has no mail server. Sealed, because it contains tokens.
create table sandbox_mail (
  id bigint generated always as identity primary key,
  reseller_id bigint not null references reseller (id),
  notice_id text references notice (id) on delete cascade,
  message_sealed text not null,
  forward_id text,
  constraint sandbox_mail_of_one check ((notice_id is null) <> (forward_id is null))
);
create index sandbox_mail_reseller on sandbox_mail (reseller_id, id);
alter table sandbox_mail enable row level security;

-- How the web pages of an account look (decision 0075). An account without its own brand has the nearest one above it.
create table brand (
  reseller_id bigint primary key references reseller (id),
  name text not null,
  support text,
  -- For light and for dark pages.
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  colour_dark text check (colour_dark ~ '^#[0-9a-f]{6}$'),
  logo bytea check (octet_length(logo) >= 1 and octet_length(logo) <= 65536),
  logo_type text check (logo_type in ('png', 'webp', 'svg')),
  -- The logo is requested by this hash, which does not reveal the account.
  logo_hash text,
  updated_at timestamptz not null,
  check ((colour is null) = (colour_dark is null)),
  constraint brand_check1 check ((logo is null) = (logo_type is null) and (logo is null) = (logo_hash is null))
);
create index brand_logo on brand (logo_hash) where logo_hash is not null;
alter table brand enable row level security;

-- Host names of an account for the web pages (decision 0088).
create table brand_host (
  reseller_id bigint not null references reseller (id),
  host text not null check (host = lower(host) and octet_length(host) <= 253),
  -- The required value of the TXT record. Not secret.
  proof text not null,
  created_at timestamptz not null,
  checked_at timestamptz,
  -- Null: claimed only.
  verified_at timestamptz,
  -- Since when the record of a verified host was not found.
  missed_since timestamptz,
  misses integer not null default 0,
  -- When it last answered by HTTPS as this service. Mail links to it only then. Null: not at the last check.
  reached_at timestamptz,
  primary key (reseller_id, host),
  check (verified_at is not null or missed_since is null and misses = 0 and reached_at is null)
);
-- Many accounts may claim a host, and one can verify it.
create unique index brand_host_verified on brand_host (host) where verified_at is not null;
create index brand_host_due on brand_host (checked_at) where verified_at is not null;
alter table brand_host enable row level security;
