-- oldest release: 0.1.0
-- A parent's invoices to the resellers below it (decision 0057): one a month, about what they were charged.
alter table invoice_settings
  -- Sub-resellers get an invoice a month from the month on that begins here; null: none.
  add column child_invoices_since date check (extract(day from child_invoices_since) = 1),
  -- The last month that was closed.
  add column child_invoices_through date check (extract(day from child_invoices_through) = 1);

-- A month with many charges has several documents: what keeps a charge from being invoiced twice is its row here.
drop index invoice_of_month;
create table invoice_charge (
  transaction_id bigint primary key references ledger_transaction (id),
  invoice_id text not null references invoice (id),
  amount bigint not null check (amount > 0),
  -- What credit notes took back of it.
  credited bigint not null default 0 check (credited between 0 and amount)
);
create index invoice_charge_invoice on invoice_charge (invoice_id);
alter table invoice_charge enable row level security;
create policy clockwork on invoice_charge to namehold_clockwork using (true) with check (true);
revoke delete, truncate on invoice_charge from namehold_clockwork;

-- What comes back of a charge that was invoiced asks for a look at its documents, as the change of a bill does.
create function invoice_follows_charge() returns trigger language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into invoice_due (bill_id) select c.transaction_id from invoice_charge c where c.transaction_id = new.id;
  return null;
end
$$;
create trigger invoice_follows_charge after update on ledger_transaction for each row
  when (new.customer_id is null and new.refunded is distinct from old.refunded) execute function invoice_follows_charge();

-- Who was charged by a seller in a period, and is not invoiced for it yet.
create function invoice_charged_children(in_seller bigint, in_from timestamptz, in_to timestamptz)
returns table (child_id bigint, currency text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_clockwork() then raise exception 'documents are made by the clockwork' using errcode = 'insufficient_privilege'; end if;
  return query
    select t.reseller_id, t.currency from ledger_transaction t join reseller r on r.id = t.reseller_id and r.parent_id = in_seller
    where t.seller_id = in_seller and t.customer_id is null and t.type in ('domain', 'privacy_protect') and t.captured > t.refunded
      and t.settled_at >= in_from and t.settled_at < in_to and not exists (select from invoice_charge c where c.transaction_id = t.id)
    group by t.reseller_id, t.currency order by t.reseller_id, t.currency;
end
$$;

-- The next of these charges, locked: whoever gives back of one waits until it is on its document.
create function invoice_charges_take(in_seller bigint, in_child bigint, in_currency text, in_from timestamptz, in_to timestamptz, in_limit integer)
returns table (transaction_id bigint, amount bigint, description text, domain_name text, charged_at timestamptz)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  taken bigint[];
begin
  if not is_clockwork() then raise exception 'documents are made by the clockwork' using errcode = 'insufficient_privilege'; end if;
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
revoke all on function invoice_charged_children, invoice_charges_take, invoice_follows_charge from public;
grant execute on function invoice_charged_children, invoice_charges_take to namehold_clockwork;
