-- oldest release: 0.1.0
-- How a name goes on at the end of its term: its reseller orders, the clockwork renews it (each time, or once), or lets it go.
alter table domain
  add column renewal_mode text not null default 'manual' check (renewal_mode in ('manual', 'renew', 'renew_once', 'delete')),
  -- The most that the clockwork may pay for it, as the reseller wrote it.
  add column renewal_max_price text,
  -- Not tried before; null: not tried yet.
  add column renewal_try_at timestamptz;
-- Only names that the clockwork has something to do for: however many others there are, they are not looked at.
create index domain_renewal on domain (registry_id, end_date) where state = 'live' and renewal_mode <> 'manual';

-- With what new names begin; null: as the account has it.
alter table customer add column renewal_mode text check (renewal_mode in ('manual', 'renew', 'renew_once', 'delete'));
alter table reseller add column renewal_mode text not null default 'manual' check (renewal_mode in ('manual', 'renew', 'renew_once', 'delete'));

-- The mark of a period: one order of the clockwork a term, unless that order came to nothing.
create table auto_renewal (
  domain_id bigint not null references domain (id),
  end_date timestamptz not null,
  reseller_id bigint not null references reseller (id),
  operation_id text not null,
  at timestamptz not null,
  primary key (domain_id, end_date)
);
alter table auto_renewal enable row level security;
create policy own on auto_renewal using (is_tenant(reseller_id));

grant insert (renewal_mode), update (renewal_mode, renewal_max_price, renewal_try_at) on domain to namehold_app;
grant select, insert, update on auto_renewal to namehold_app;
