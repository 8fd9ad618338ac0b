-- oldest release: 0.2.0
-- Web and mail forwarding, and certificates.

-- The web forwarding rules of one domain. The row stays when the last rule is removed.
create table forwarding (
  domain_id bigint primary key,
  reseller_id bigint not null,
  rules jsonb not null check (jsonb_typeof(rules) = 'array'),
  version integer not null,
  changed_at timestamptz not null,
  -- The transaction of the last change, by which edges follow the table.
  changed_xid xid8 not null default pg_current_xact_id(),
  -- The MTA-STS policy that edges serve. A domain without rules may have one.
  mail_policy text,
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index forwarding_changed on forwarding (changed_xid);
alter table forwarding enable row level security;

-- The result of the regular checks of forwarding targets.
create table forward_target (
  domain_id bigint not null,
  reseller_id bigint not null,
  -- As in the rules. One host is checked by one process at a time.
  target text not null,
  host text not null,
  -- The host of a rule with a frame. Null: requests are redirected.
  frame_host text,
  warnings text[] not null default '{}',
  checked_at timestamptz,
  -- By the clock of the database.
  check_at timestamptz not null default now(),
  primary key (domain_id, target),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index forward_target_check on forward_target (check_at);
alter table forward_target enable row level security;

-- Requests to forwarded domains per hour.
create table forward_hour (
  domain_id bigint not null,
  reseller_id bigint not null,
  hour timestamptz not null,
  -- Host, path and match, which identify the rule.
  rule text not null,
  requests bigint not null,
  bots bigint not null,
  -- Requests by status code and by referring host.
  codes jsonb not null check (jsonb_typeof(codes) = 'object'),
  referrers jsonb not null check (jsonb_typeof(referrers) = 'object'),
  primary key (domain_id, hour, rule),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index forward_hour_hour on forward_hour (hour);
alter table forward_hour enable row level security;

-- The certificate of a forwarded domain or a mail host (decisions 0058 and 0071).
create table certificate (
  domain_id bigint unique,
  reseller_id bigint,
  -- The order that it came from. Null: none yet.
  id text,
  names text[] not null default '{}',
  -- PEM, its own certificate first.
  chain text,
  key_sealed text,
  not_before timestamptz,
  not_after timestamptz,
  renew_at timestamptz,
  authority text,
  -- Since when there has been a valid certificate without a gap.
  live_since timestamptz,
  state text not null default 'waiting' check (state in ('waiting', 'ordering', 'live', 'blocked')),
  reason text,
  failures integer not null default 0,
  -- When it is checked next, by the clock of the database.
  look_at timestamptz not null default now(),
  host text unique,
  subject text generated always as (coalesce(host, domain_id::text)) stored primary key,
  foreign key (reseller_id, domain_id) references domain (reseller_id, id),
  constraint certificate_check1 check (num_nonnulls(domain_id, host) = 1 and (domain_id is null) = (reseller_id is null)),
  check ((id is null) = (chain is null) and (id is null) = (key_sealed is null) and (id is null) = (not_after is null))
);
create index certificate_look on certificate (look_at);
alter table certificate enable row level security;

-- An order at a certificate authority, stored before each step, so that another process can resume it.
create table certificate_order (
  id text primary key,
  domain_id bigint,
  reseller_id bigint,
  authority text not null,
  method text not null check (method in ('dns-01', 'http-01')),
  names text[] not null check (cardinality(names) > 0),
  state text not null default 'open' check (state in ('open', 'issued', 'failed')),
  -- The order may exist at the authority.
  is_sent boolean not null default false,
  url text,
  -- What is shown to the authority as proof. Null: none left.
  proofs jsonb,
  -- The authority was told to check.
  is_asked boolean not null default false,
  key_sealed text,
  troubles integer not null default 0,
  reason text,
  -- Grows with every step, so a process that lost the order cannot write.
  version integer not null default 0,
  -- When its next step is due. Null: none.
  due_at timestamptz default now(),
  begun_at timestamptz not null default now(),
  ended_at timestamptz,
  host text,
  subject text generated always as (coalesce(host, domain_id::text)) stored,
  foreign key (reseller_id, domain_id) references domain (reseller_id, id),
  constraint certificate_order_check1 check (num_nonnulls(domain_id, host) = 1 and (domain_id is null) = (reseller_id is null)),
  check ((state = 'open') = (ended_at is null))
);
create index certificate_order_due on certificate_order (due_at) where due_at is not null;
create index certificate_order_begun on certificate_order (begun_at);
create index certificate_order_domain on certificate_order (domain_id);
create unique index certificate_order_open on certificate_order (subject) where state = 'open';
create index certificate_order_subject on certificate_order (subject);
alter table certificate_order enable row level security;

-- Our account at each authority.
create table certificate_account (
  authority text primary key,
  key_sealed text not null,
  url text,
  -- No new orders before, by the clock of the database.
  paused_until timestamptz
);

-- Domains whose mail is forwarded (decision 0059).
create table mail_domain (
  domain_id bigint primary key,
  reseller_id bigint not null,
  -- Nobody sends mail from this domain, and the zone says so.
  receive_only boolean not null default false,
  version integer not null,
  changed_at timestamptz not null,
  -- The transaction of the last change of the domain, its addresses or targets, by which mail hosts follow the table.
  changed_xid xid8 not null default pg_current_xact_id(),
  -- The MTA-STS policy (RFC 8461). `off`: the owner has records of its own. Null: none.
  sts_mode text check (sts_mode in ('testing', 'enforce', 'none', 'off')),
  -- Since when the domain has had a policy, or with `none`, since when it was withdrawn. Business clock.
  sts_since timestamptz,
  -- Senders cache a policy for a day after it was last enforced. Business clock. Null: never enforced.
  sts_enforced_until timestamptz,
  unique (domain_id, reseller_id),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id),
  check ((sts_mode in ('testing', 'enforce', 'none')) is not true or sts_since is not null)
);
create index mail_domain_changed on mail_domain (changed_xid);
alter table mail_domain enable row level security;

-- Forwarded addresses of a domain.
create table mail_forward (
  domain_id bigint not null,
  reseller_id bigint not null,
  -- Lower case. Empty: all addresses without their own row.
  local_part text not null,
  -- Addresses in the owner's order. mail_target says whether mail may be sent there.
  targets text[] not null,
  action text not null check (action in ('forward', 'refuse')),
  spam text not null check (spam in ('refuse', 'mark')),
  enabled boolean not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (domain_id, local_part),
  foreign key (domain_id, reseller_id) references mail_domain (domain_id, reseller_id) on update cascade on delete cascade,
  check ((action = 'forward') = (cardinality(targets) > 0))
);
create index mail_forward_targets on mail_forward using gin (targets);
alter table mail_forward enable row level security;

-- A target address, and whether its owner agreed for one customer.
create table mail_target (
  id text primary key,
  reseller_id bigint not null,
  customer_id bigint not null,
  -- Lower case.
  address text not null,
  state text not null check (state in ('waiting', 'confirmed', 'stopped', 'failing', 'lapsed')),
  created_at timestamptz not null,
  -- When the last request for consent was written. Null: still to be written.
  asked_at timestamptz,
  lapses_at timestamptz,
  confirmed_at timestamptz,
  stopped_at timestamptz,
  -- Mail that the target refused permanently, since when.
  failures integer not null default 0,
  failures_since timestamptz,
  -- When a request that a daily limit delays is sent. Null: none is delayed.
  request_due_at timestamptz,
  unique (reseller_id, id),
  unique (customer_id, address),
  foreign key (reseller_id, customer_id) references customer (reseller_id, id)
);
create index mail_target_address on mail_target (address);
create index mail_target_mailbox on mail_target (mailbox_key(address));
create index mail_target_due on mail_target (coalesce(request_due_at, lapses_at, created_at)) where state = 'waiting';
alter table mail_target enable row level security;
alter table confirmation add foreign key (reseller_id, mail_target_id) references mail_target (reseller_id, id);

-- Mail per hour and outcome, without senders.
create table mail_hour (
  domain_id bigint not null,
  reseller_id bigint not null,
  hour timestamptz not null,
  outcome text not null check (outcome in ('forwarded', 'deferred', 'refused', 'spam', 'limited', 'bounced')),
  messages bigint not null,
  primary key (domain_id, hour, outcome),
  foreign key (reseller_id, domain_id) references domain (reseller_id, id)
);
create index mail_hour_hour on mail_hour (hour);
alter table mail_hour enable row level security;

-- What the Postfix of each mail host presents to senders, as `namehold mx` sees it.
create table mail_host (
  host text primary key,
  -- By the clock of the database.
  seen_at timestamptz not null default now(),
  -- A sender that requires a valid certificate accepts it.
  is_good boolean not null,
  -- Why not.
  reason text,
  not_after timestamptz
);
alter table mail_host enable row level security;

-- Reports of undelivered mail that were processed, each once.
create table mail_report (
  id text primary key,
  taken_at timestamptz not null default now()
);
create index mail_report_taken on mail_report (taken_at);
alter table mail_report enable row level security;
