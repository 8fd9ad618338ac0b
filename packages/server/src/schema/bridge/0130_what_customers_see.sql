-- oldest release: 0.1.0
-- What a customer sees (decision 0069). An event about a name says whose name it was then: who gets a name later does not read what happened before,
-- and a customer's part of a long log is one range of an index.
alter table event add column customer_id bigint;

create function event_of_customer() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  new.customer_id := null;
  -- What came back of a purchase is between the reseller and its seller.
  if new.object_type in ('domain', 'zone') and new.object_id ~ '^\d{1,18}$' and new.type <> 'domain.purchase_refunded' then
    select d.customer_id into new.customer_id from domain d where d.id = new.object_id::bigint and d.reseller_id = new.reseller_id;
  end if;
  return new;
end
$$;
create trigger event_of_customer before insert on event for each row execute function event_of_customer();

-- Of names that always were with one customer it is known.
update event e set customer_id = d.customer_id from domain d
where e.object_type in ('domain', 'zone') and e.object_id ~ '^\d{1,18}$' and e.type <> 'domain.purchase_refunded'
  and d.id = e.object_id::bigint and d.reseller_id = e.reseller_id
  and not exists (select from event m where m.reseller_id = e.reseller_id and m.type = 'domain.moved' and m.object_type = 'domain' and m.object_id = e.object_id);
create index event_customer on event (customer_id, number) where customer_id is not null;

drop policy customer on event;
create policy customer on event for select to namehold_app using (customer_id = (select current_customer()));
create policy customer_tells on event for insert to namehold_app
  with check (reseller_id = (select customer_reseller()) and customer_id = (select current_customer()));

-- A statement is also its customer's own.
create or replace function ledger_statement_account(in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_kind text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not coalesce(is_tenant(in_viewer) or (in_viewer = customer_reseller() and in_customer = current_customer()), false)
    or (in_customer is not null and in_reseller <> in_viewer)
    or not exists (select from reseller r where r.id = in_reseller and in_viewer in (r.id, r.parent_id)) then
    raise exception 'reseller % may not read this', in_viewer using errcode = 'insufficient_privilege';
  end if;
  return (select a.id from ledger_account a
    where a.reseller_id = in_reseller and a.customer_id is not distinct from in_customer and a.currency = in_currency and a.kind = in_kind);
end
$$;

-- What is printed on every document of a seller: for the seller, and for its customers, who get the paper.
create function invoice_letterhead(in_reseller bigint, out footer text, out logo bytea, out logo_type text)
language sql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.footer, s.logo, s.logo_type from invoice_settings s where s.reseller_id = in_reseller and (is_tenant(s.reseller_id) or s.reseller_id = customer_reseller())
$$;
revoke all on function invoice_letterhead from public;
grant execute on function invoice_letterhead to namehold_app, namehold_clockwork;
