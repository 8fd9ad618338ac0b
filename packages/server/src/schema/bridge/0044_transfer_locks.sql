-- oldest release: 0.1.0
-- How long a name is kept back after what happened to it, and from what: ICANN's Transfer Policy (I.A.3.7 and II.C), and its review of 2025
-- (720 hours after registration and transfer, none after a change of holder). The rule counts that was in force when it happened. No row: no
-- lock; countries have rules of their own. The date of the new policy was not set when this was written: the operator writes it here.
create table transfer_lock (
  tld_class text not null check (tld_class in ('generic', 'country')),
  after text not null check (after in ('registration', 'transfer', 'holder_change')),
  -- A move to another reseller of the house is no transfer at the registry; it is kept back where a thief would use it to hide a change.
  against text not null check (against in ('transfer', 'move')),
  hours integer not null check (hours between 0 and 8784),
  valid_from timestamptz not null,
  primary key (tld_class, after, against, valid_from)
);
insert into transfer_lock (tld_class, after, against, hours, valid_from) values
  ('generic', 'registration', 'transfer', 1440, '2000-01-01'),
  ('generic', 'registration', 'transfer', 720, '2028-01-01'),
  ('generic', 'transfer', 'transfer', 1440, '2000-01-01'),
  ('generic', 'transfer', 'transfer', 720, '2028-01-01'),
  ('generic', 'transfer', 'move', 1440, '2000-01-01'),
  ('generic', 'transfer', 'move', 720, '2028-01-01'),
  ('generic', 'holder_change', 'transfer', 1440, '2016-12-01'),
  ('generic', 'holder_change', 'transfer', 0, '2028-01-01'),
  ('generic', 'holder_change', 'move', 1440, '2016-12-01'),
  ('generic', 'holder_change', 'move', 0, '2028-01-01');
grant select on transfer_lock to namehold_app;

-- When the name last came from another registrar, by the registry's date (RFC 5731 3.1.2), and when it last got another holder.
alter table domain add column transferred_at timestamptz, add column holder_changed_at timestamptz;

-- A contact was changed so much that the names it holds have another holder now. Only ever forward: a request cannot end a lock with it.
create function note_holder_change(in_contact bigint, in_at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update public.domain d set holder_changed_at = in_at
  where d.registrant_contact_id = in_contact and d.state not in ('removed', 'pending') and public.is_tenant(d.reseller_id)
    and coalesce(d.holder_changed_at, '-infinity') < in_at
$$;
grant execute on function note_holder_change to namehold_app;
