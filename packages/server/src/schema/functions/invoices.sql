-- Invoices follow their bills and charges.

-- An issued document does not change, except what has been paid or credited of it.
create or replace function invoice_kept() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op <> 'UPDATE' then
    raise exception 'documents are kept' using errcode = 'restrict_violation', constraint = 'invoice_kept';
  end if;
  if old.number is null and old.state = 'draft' then return new; end if;
  -- The total is computed from net and tax, and is not known yet in this trigger.
  if to_jsonb(new) - array['state', 'paid', 'credited', 'settled_at', 'total'] is distinct from
      to_jsonb(old) - array['state', 'paid', 'credited', 'settled_at', 'total']
    or new.credited < old.credited or new.paid < old.paid or old.state = 'void' or (old.state = 'credited' and new.state <> 'credited')
    or new.state in ('draft', 'void') then
    raise exception 'document % does not change after it was issued', coalesce(old.number, old.id) using errcode = 'restrict_violation', constraint = 'invoice_kept';
  end if;
  return new;
end
$$;

create or replace function invoice_series_grows() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'DELETE' or new.last is distinct from old.last + 1 or (new.reseller_id, new.series) is distinct from (old.reseller_id, old.series) then
    raise exception 'numbers of series % follow one another', old.series using errcode = 'restrict_violation', constraint = 'invoice_series_grows';
  end if;
  return new;
end
$$;

-- Every change of a bill queues its documents, and a payment is on its invoice at once.
create or replace function invoice_follows_bill() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_due (bill_id) values (new.id);
  if tg_op = 'UPDATE' and new.captured > 0 then
    update invoice i set paid = new.captured, settled_at = coalesce(i.settled_at, new.settled_at), state = 'paid'
    where i.bill_id = new.id and i.kind = 'invoice' and i.state = 'open' and new.status in ('completed', 'refunded');
  end if;
  return null;
end
$$;

create or replace function invoice_take(in_after bigint, in_limit integer)
returns table(bill_id bigint, reseller_id bigint, customer_id bigint, status text, purchase_status text, amount bigint, captured bigint, credited bigint, refunded bigint, currency text, description text, action text, years integer, domain_id bigint, domain_name text, settled_at timestamptz, sold_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  taken bigint[];
begin
  if not is_clockwork() then raise exception 'documents are created by background jobs' using errcode = 'insufficient_privilege'; end if;
  select array_agg(b.id) into taken from (
    select t.id from ledger_transaction t
    where t.id in (select d.bill_id from invoice_due d where d.bill_id > in_after order by d.bill_id limit in_limit)
    order by t.id for no key update skip locked) b;
  return query
    select t.id, t.reseller_id, t.customer_id, t.status, p.status, t.amount, t.captured, t.credited, t.refunded, t.currency, t.description, t.action, t.years,
      t.domain_id, d.name, t.settled_at, p.settled_at
    from ledger_transaction t join ledger_transaction p on p.id = t.purchase_id left join domain d on d.id = t.domain_id
    where t.id = any (taken) order by t.id;
end
$$;

create or replace function invoice_bill(in_reseller bigint, in_bill bigint)
returns table(bill_id bigint, reseller_id bigint, customer_id bigint, status text, purchase_status text, amount bigint, captured bigint, credited bigint, refunded bigint, currency text, description text, action text, years integer, domain_id bigint, domain_name text, settled_at timestamptz, sold_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_clockwork() then raise exception 'documents are created by background jobs' using errcode = 'insufficient_privilege'; end if;
  perform from ledger_transaction t where t.id = in_bill or t.purchase_id = (select x.purchase_id from ledger_transaction x where x.id = in_bill)
  order by t.id for no key update;
  return query
    select t.id, t.reseller_id, t.customer_id, t.status, p.status, t.amount, t.captured, t.credited, t.refunded, t.currency, t.description, t.action, t.years,
      t.domain_id, d.name, t.settled_at, p.settled_at
    from ledger_transaction t join ledger_transaction p on p.id = t.purchase_id left join domain d on d.id = t.domain_id
    where t.id = in_bill and t.reseller_id = in_reseller;
end
$$;

create or replace function invoice_follows_charge() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_due (bill_id) select c.transaction_id from invoice_charge c where c.transaction_id = new.id and c.replaced_by is null;
  return null;
end
$$;

create or replace function invoice_charged_children(in_seller bigint, in_from timestamptz, in_to timestamptz)
returns table(child_id bigint, currency text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_clockwork() then raise exception 'documents are created by background jobs' using errcode = 'insufficient_privilege'; end if;
  return query
    select t.reseller_id, t.currency from ledger_transaction t join reseller r on r.id = t.reseller_id and r.parent_id = in_seller
    where t.seller_id = in_seller and t.customer_id is null and t.type in ('domain', 'privacy_protect') and t.captured > t.refunded
      and t.settled_at >= in_from and t.settled_at < in_to and not exists (select from invoice_charge c where c.transaction_id = t.id)
    group by t.reseller_id, t.currency order by t.reseller_id, t.currency;
end
$$;

create or replace function invoice_charges_take(
  in_seller bigint, in_child bigint, in_currency text, in_from timestamptz, in_to timestamptz, in_limit integer
) returns table(transaction_id bigint, amount bigint, description text, domain_name text, charged_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  taken bigint[];
begin
  if not is_clockwork() then raise exception 'documents are created by background jobs' using errcode = 'insufficient_privilege'; end if;
  select array_agg(l.id) into taken from (
    select t.id from ledger_transaction t
    where t.seller_id = in_seller and t.reseller_id = in_child and t.currency = in_currency and t.customer_id is null
      and t.type in ('domain', 'privacy_protect') and t.captured > t.refunded and t.settled_at >= in_from and t.settled_at < in_to
      and not exists (select from invoice_charge c where c.transaction_id = t.id)
    order by t.id limit in_limit for no key update) l;
  return query
    select t.id, t.captured - t.refunded, t.description, d.name, t.settled_at
    from ledger_transaction t left join domain d on d.id = t.domain_id where t.id = any (taken) and t.captured > t.refunded order by t.id;
end
$$;

create or replace function invoice_letterhead(in_reseller bigint, out footer text, out logo bytea, out logo_type text)
language sql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.footer, s.logo, s.logo_type from invoice_settings s where s.reseller_id = in_reseller and (is_tenant(s.reseller_id) or s.reseller_id = customer_reseller())
$$;

create or replace function invoice_lock_charges(in_reseller bigint, in_invoice text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  perform from ledger_transaction t
  where t.id in (select c.transaction_id from invoice_charge c join invoice i on i.id = c.invoice_id where c.invoice_id = in_invoice and i.reseller_id = in_reseller)
  order by t.id for no key update;
end
$$;

revoke execute on function
  invoice_kept, invoice_series_grows, invoice_follows_bill, invoice_take, invoice_bill, invoice_follows_charge,
  invoice_charged_children, invoice_charges_take, invoice_letterhead, invoice_lock_charges
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  invoice_kept, invoice_series_grows, invoice_follows_bill, invoice_take, invoice_bill, invoice_follows_charge,
  invoice_charged_children, invoice_charges_take, invoice_letterhead, invoice_lock_charges
to namehold_clockwork;
grant execute on function
  invoice_letterhead
to namehold_app;
