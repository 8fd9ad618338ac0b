-- oldest release: 0.1.0
-- How the pages of an account look to its people and its customers (decision 0075). Who has none of its own has the nearest above it.
create table brand (
  reseller_id bigint primary key references reseller (id),
  name text not null,
  support text,
  -- On light and on dark pages.
  colour text check (colour ~ '^#[0-9a-f]{6}$'),
  colour_dark text check (colour_dark ~ '^#[0-9a-f]{6}$'),
  logo bytea check (octet_length(logo) between 1 and 65536),
  logo_type text check (logo_type in ('png', 'webp', 'svg')),
  -- By it the picture is fetched: it tells nothing of whose it is.
  logo_hash text,
  updated_at timestamptz not null,
  check ((colour is null) = (colour_dark is null)),
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_hash is null))
);
create index brand_logo on brand (logo_hash) where logo_hash is not null;
alter table brand enable row level security;
create policy own on brand using (is_tenant(reseller_id));
grant select, insert, update, delete on brand to namehold_app;

-- Nothing of these is a customer's that acts (decision 0073).
do $$
declare
  t text;
begin
  foreach t in array array['brand', 'factor_reset', 'recovery_wish', 'mail_host', 'mail_report'] loop
    execute format('create policy customer_acts on %I as restrictive to namehold_app using ((select acting_customer()) is null)', t);
  end loop;
end
$$;
