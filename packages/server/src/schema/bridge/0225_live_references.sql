-- oldest release: 0.1.0
-- Nothing is bound to a deleted account. A foreign key asks only whether the row exists, and a deleted reseller, customer or contact still does.
-- These triggers also ask whether it is deleted, and keep it from being deleted until the writer's transaction ends: they lock the row FOR KEY SHARE,
-- as foreign keys do. Deletion locks it FOR UPDATE, the only strength that conflicts with that. Updates of balances, counters and addresses
-- (FOR NO KEY UPDATE) do not wait, and neither do writers for each other. After the statement: row-level security and foreign keys speak first.
-- See docs/decisions/0089.

create function refuse_deleted(in_noun text, in_id bigint, in_table text, in_column text) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception '% % is deleted', in_noun, in_id using errcode = 'foreign_key_violation', constraint = 'live_' || in_noun,
    table = in_table, column = in_column, detail = in_id::text;
end
$$;

-- Hot: part of every order. Only the references that the statement changes are looked at; a tombstone may keep what was deleted since.
create function domain_refers_to_live() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  is_fresh boolean := tg_op = 'INSERT' or old.state = 'removed';
  dead record;
begin
  if is_fresh or new.customer_id <> old.customer_id then
    perform from customer c where c.id = new.customer_id and c.deleted_at is null for key share;
    if not found then perform refuse_deleted('customer', new.customer_id, 'domain', 'customer_id'); end if;
  end if;
  if is_fresh or row(new.registrant_contact_id, new.admin_contact_id, new.tech_contact_id, new.billing_contact_id)
    is distinct from row(old.registrant_contact_id, old.admin_contact_id, old.tech_contact_id, old.billing_contact_id) then
    perform from contact k where k.id in (new.registrant_contact_id, new.admin_contact_id, new.tech_contact_id, new.billing_contact_id)
    order by k.id for key share;
    select r.id, r.role into dead from (values
        (1, new.registrant_contact_id, 'registrant', case when not is_fresh then old.registrant_contact_id end),
        (2, new.admin_contact_id, 'admin', case when not is_fresh then old.admin_contact_id end),
        (3, new.tech_contact_id, 'tech', case when not is_fresh then old.tech_contact_id end),
        (4, new.billing_contact_id, 'billing', case when not is_fresh then old.billing_contact_id end)) r (place, id, role, before)
      join contact k on k.id = r.id
    where k.deleted_at is not null and r.id is distinct from r.before order by r.place limit 1;
    if found then perform refuse_deleted('contact', dead.id, 'domain', dead.role || '_contact_id'); end if;
  end if;
  return new;
end
$$;
create trigger refers_to_live_new after insert on domain
  for each row when (new.state <> 'removed') execute function domain_refers_to_live();
create trigger refers_to_live after update of state, customer_id, registrant_contact_id, admin_contact_id, tech_contact_id, billing_contact_id on domain
  for each row when (new.state <> 'removed' and (old.state = 'removed' or old.customer_id <> new.customer_id
    or row(new.registrant_contact_id, new.admin_contact_id, new.tech_contact_id, new.billing_contact_id)
      is distinct from row(old.registrant_contact_id, old.admin_contact_id, old.tech_contact_id, old.billing_contact_id)))
  execute function domain_refers_to_live();

-- Everything else, by pairs of arguments: the noun and the column.
create function refers_to_live() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  id bigint;
  is_live boolean;
begin
  for place in 0 .. tg_nargs - 2 by 2 loop
    execute format('select ($1).%I', tg_argv[place + 1]) into id using new;
    continue when id is null;
    execute format('select true from %I where id = $1 and deleted_at is null for key share', tg_argv[place]) into is_live using id;
    if is_live is null then perform refuse_deleted(tg_argv[place], id, tg_table_name, tg_argv[place + 1]); end if;
  end loop;
  return new;
end
$$;

create trigger refers_to_live_new after insert on reseller for each row execute function refers_to_live('reseller', 'parent_id');
create trigger refers_to_live_new after insert on customer for each row execute function refers_to_live('reseller', 'reseller_id');
create trigger refers_to_live_new after insert on contact for each row execute function refers_to_live('customer', 'customer_id');
-- What comes back needs what it belongs to.
create trigger refers_to_live after update of deleted_at on reseller
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function refers_to_live('reseller', 'parent_id');
create trigger refers_to_live after update of deleted_at on customer
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function refers_to_live('reseller', 'reseller_id');
create trigger refers_to_live after update of deleted_at on contact
  for each row when (old.deleted_at is not null and new.deleted_at is null) execute function refers_to_live('customer', 'customer_id');

-- Money that somebody puts onto a balance. What comes back by itself (refunds, credit notes, charge-backs) is of the past, and comes to deleted accounts too.
create trigger refers_to_live_new after insert on ledger_transaction
  for each row when (new.type = 'deposit' and new.customer_id is null) execute function refers_to_live('reseller', 'reseller_id');
create trigger refers_to_live_of_customer after insert on ledger_transaction
  for each row when (new.type = 'deposit' and new.customer_id is not null) execute function refers_to_live('customer', 'customer_id');

create trigger refers_to_live_new after insert on waiting_order for each row execute function refers_to_live('customer', 'customer_id');
create trigger refers_to_live_new after insert on expected_payment
  for each row execute function refers_to_live('reseller', 'reseller_id', 'customer', 'customer_id', 'reseller', 'payer_id');
create trigger refers_to_live_new after insert on mail_target for each row execute function refers_to_live('customer', 'customer_id');
create trigger refers_to_live_new after insert on invitation
  for each row execute function refers_to_live('reseller', 'reseller_id', 'reseller', 'parent_id');
create trigger refers_to_live_new after insert on person_session
  for each row execute function refers_to_live('reseller', 'reseller_id', 'customer', 'customer_id');
-- Whose account is worked in.
create trigger refers_to_live after update of reseller_id on person_session
  for each row when (old.reseller_id <> new.reseller_id) execute function refers_to_live('reseller', 'reseller_id');
do $$
declare
  name text;
begin
  foreach name in array array['api_key', 'membership', 'person_code', 'factor_reset', 'brand', 'brand_host', 'zone_template', 'default_zone_template',
                              'payment_account', 'invoice_settings', 'tax_rate', 'invoice_reminder_settings', 'notice_brand', 'notice_text'] loop
    execute format('create trigger refers_to_live_new after insert on %I for each row execute function refers_to_live(''reseller'', ''reseller_id'')', name);
  end loop;
  foreach name in array array['price', 'price_rule'] loop
    execute format('create trigger refers_to_live_new after insert on %I for each row execute function refers_to_live(''reseller'', ''owner_reseller_id'')', name);
  end loop;
end
$$;

-- A move that is under way to a customer; an offer that waits for its answer is none. It may be another reseller's, which the taker does not see.
create function moves_to_customer(in_reseller bigint, in_customer bigint) returns text
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then raise exception 'reseller % may not read this', in_reseller using errcode = 'insufficient_privilege'; end if;
  return (
    select min(o.request ->> 'name') from operation o
    where o.kind = 'move' and o.state not in ('done', 'refused', 'cancelled') and o.approval_until is null
      and o.request ->> 'new_reseller_id' = in_reseller::text and o.request ->> 'new_customer_id' = in_customer::text);
end
$$;

revoke all on function refuse_deleted, domain_refers_to_live, refers_to_live, moves_to_customer from public;
grant execute on function moves_to_customer to namehold_app, namehold_clockwork;
