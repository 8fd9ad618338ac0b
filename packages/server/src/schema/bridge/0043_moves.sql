-- oldest release: 0.1.0
-- A name may move to another reseller of the house (decision 0034): it gets a new row there, and the old one stays as the giver's tombstone.
alter table domain
  drop constraint domain_removed_reason_check,
  add constraint domain_removed_reason_check
    check (removed_reason in ('refused', 'cancelled', 'deleted', 'dropped', 'transferred_away', 'moved')),
  -- The rows that the name had with earlier holders, the first first: what was paid there counts for the name, and what comes back goes there.
  add column former_ids bigint[] not null default '{}';
create index domain_former on domain using gin (former_ids) where former_ids <> '{}';

-- Whose answer a move waits for, and who may see it besides its owner. Null also where there is no such account.
alter table operation add column taker_id bigint references reseller (id);
create index operation_taker on operation (taker_id, id) where taker_id is not null;
create index operation_move on operation (reseller_id, id) where kind = 'move';

-- A zone goes along with its name, as a whole.
alter table zone_rrset drop constraint zone_rrset_reseller_id_zone_id_fkey,
  add constraint zone_rrset_reseller_id_zone_id_fkey foreign key (reseller_id, zone_id) references zone (reseller_id, id)
    on delete cascade on update cascade not valid;
alter table zone_change drop constraint zone_change_reseller_id_zone_id_fkey,
  add constraint zone_change_reseller_id_zone_id_fkey foreign key (reseller_id, zone_id) references zone (reseller_id, id)
    on delete cascade on update cascade not valid;
-- Who changed it before, and why, stays with the giver's audit log. The journal is else only ever added to.
create function zone_forget_hands(in_domain bigint) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  update public.zone_change set key_id = null, request_id = null, comment = null
  where public.is_clockwork() and zone_id in (select id from public.zone where domain_id = in_domain and state = 'active')
$$;
