-- oldest release: 0.1.0
-- What a reseller sells to its customers (decision 0044). A bill is a transaction of the customer: one more level below the buyer of the purchase,
-- and until there is a purchase a row by itself.
alter table ledger_account drop constraint ledger_account_check2,
  -- A customer has what can be spent, and what is set aside for orders under way.
  add constraint ledger_account_customer check (case when customer_id is null then kind <> 'customer' else kind in ('customer', 'held') end);
alter table ledger_transaction drop constraint ledger_transaction_status_check,
  add constraint ledger_transaction_status_check check (status in ('pending', 'completed', 'cancelled', 'refunded', 'unpaid')),
  drop constraint ledger_transaction_check2,
  add constraint ledger_transaction_settled check ((settled_at is null) = (status in ('pending', 'unpaid'))),
  add constraint ledger_transaction_unpaid check (status <> 'unpaid' or customer_id is not null),
  -- Of a bill: what fell away before it was paid, because that part of the purchase came back.
  add column credited bigint not null default 0,
  add constraint ledger_transaction_credited check (credited >= 0 and captured + credited <= amount and (credited = 0 or customer_id is not null));
drop index ledger_transaction_operation;
create unique index ledger_transaction_operation on ledger_transaction (operation_id, reseller_id)
  where operation_id is not null and customer_id is null;
create unique index ledger_transaction_bill on ledger_transaction (operation_id) where operation_id is not null and customer_id is not null;

-- The bill of its order, where a customer has one: also of an order whose bill was cancelled when it was run.
alter table operation add column bill_id bigint;
create index operation_bill on operation (bill_id) where bill_id is not null;

create or replace function operation_place(in_order text, in_seal text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  o operation;
begin
  if not is_sealed('operation.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of an operation is not sealed' using errcode = 'insufficient_privilege';
  end if;
  o := jsonb_populate_record(null::operation, in_order::jsonb);
  if not is_tenant(o.reseller_id) then
    raise exception 'reseller % is not the tenant', o.reseller_id using errcode = 'insufficient_privilege';
  end if;
  if o.state <> (case when o.approval_until is null then 'intended' else 'action_required' end) then
    raise exception 'an operation does not begin as %', o.state using errcode = 'check_violation';
  end if;
  insert into operation (id, reseller_id, kind, domain_id, contact_id, registry_id, request, secrets_sealed, state, transaction_id, bill_id, request_id,
                         key_id, attention, approval, approval_until, due_at, created_at, updated_at)
  values (o.id, o.reseller_id, o.kind, o.domain_id, o.contact_id, o.registry_id, o.request, o.secrets_sealed, o.state, o.transaction_id, o.bill_id,
          o.request_id, o.key_id, o.attention, o.approval, o.approval_until,
          now() + (in_order::jsonb ->> 'due_in_ms')::double precision * interval '1 millisecond', o.created_at, o.updated_at);
end
$$;

-- A bill of nobody's purchase yet, and unpaid: no money moves.
create function ledger_bill(in_at timestamptz, in_reseller bigint, in_customer bigint, in_amount bigint, in_currency text, in_type text,
                            in_domain bigint, in_action text, in_years integer, in_description text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  new_id bigint := nextval('ledger_transaction_id_seq');
  account bigint;
begin
  if not is_tenant(in_reseller) or in_amount < 0 or not exists (
    select from customer c where c.id = in_customer and c.reseller_id = in_reseller and c.currency = in_currency and c.deleted_at is null) then
    raise exception 'customer % of reseller % cannot be billed so', in_customer, in_reseller using errcode = 'insufficient_privilege';
  end if;
  account := ledger_account_id('customer', in_reseller, in_customer, in_currency);
  insert into ledger_transaction (id, purchase_id, reseller_id, customer_id, seller_id, type, status, direction, amount, currency, balance_after,
                                  description, domain_id, action, years, created_at)
  values (new_id, new_id, in_reseller, in_customer, in_reseller, in_type, 'unpaid', 'debit', in_amount, in_currency,
          (select a.balance from ledger_account a where a.id = account),
          in_description, in_domain, in_action, in_years, in_at);
  return new_id;
end
$$;

-- The same for a request, which has a seal for it.
create function ledger_bill_sealed(in_order text, in_seal text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_sealed('bill.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of a bill is not sealed' using errcode = 'insufficient_privilege';
  end if;
  return (
    select ledger_bill(o.at, o.reseller, o.customer, o.amount, o.currency, o.type, o.domain, o.action, o.years, o.description)
    from jsonb_to_record(in_order::jsonb) as o (at timestamptz, reseller bigint, customer bigint, amount bigint, currency text, type text,
                                                domain bigint, action text, years integer, description text));
end
$$;

-- Nobody in the chain spends while anybody in it is suspended: a parent's money pays for its children's orders. With a bill the customer is the
-- lowest level, place 0: `pay` sets its money aside, `keep` leaves it owing, `cancel` forgives what an order that waited had asked for.
drop function ledger_hold_sealed(text, text);
create function ledger_hold_sealed(in_order text, in_seal text, out transaction_id bigint, out lacking_place integer, out missing bigint,
                                   out inactive_place integer, out bill_id bigint)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  o record;
  b record;
  owed bigint;
  present bigint;
  customer_account bigint;
  held_account bigint;
  accounts bigint[];
begin
  if not is_sealed('hold.' || pg_backend_pid() || '.' || in_order, in_seal) then
    raise exception 'the order of a hold is not sealed' using errcode = 'insufficient_privilege';
  end if;
  select * into o from jsonb_to_record(in_order::jsonb) as r (
    at timestamptz, payers bigint[], sellers bigint[], amounts bigint[], currencies text[], cost bigint, cost_currency text, type text,
    operation text, domain bigint, action text, years integer, description text, bill jsonb);
  select min(p.place) into inactive_place
  from unnest(o.payers || o.sellers[cardinality(o.sellers)]) with ordinality as p (id, place) join reseller r on r.id = p.id
  where r.status <> 'Active' or r.deleted_at is not null;
  if inactive_place is not null then return; end if;
  if jsonb_typeof(o.bill) = 'object' then
    select * into b from jsonb_to_record(o.bill) as r (customer bigint, amount bigint, currency text, transaction bigint, how text);
    owed := b.amount;
    if b.transaction is not null then
      select t.amount into owed from ledger_transaction t
      where t.id = b.transaction and t.reseller_id = o.payers[1] and t.customer_id = b.customer and t.status = 'unpaid' and t.operation_id is null
      for no key update;
      if not found then raise exception 'bill % does not wait', b.transaction using errcode = 'no_data_found'; end if;
    end if;
    if b.how = 'pay' then
      customer_account := ledger_account_id('customer', o.payers[1], b.customer, b.currency);
      held_account := ledger_account_id('held', o.payers[1], b.customer, b.currency);
      accounts := array[customer_account, held_account] || (
        select array_agg(ledger_account_id(k.kind, p.payer, null, p.currency))
        from unnest(o.payers, o.currencies) as p (payer, currency), unnest(array['available', 'held']) as k (kind));
      -- All accounts of all levels in one order, as every other movement takes them.
      perform from ledger_account a where a.id = any (accounts) order by a.id for no key update;
      select a.balance into present from ledger_account a where a.id = customer_account;
      if present < owed then
        lacking_place := 0;
        missing := owed - present;
        return;
      end if;
    end if;
  end if;
  select h.transaction_id, h.lacking_place, h.missing into transaction_id, lacking_place, missing
  from ledger_hold(o.at, o.payers, o.sellers, o.amounts, o.currencies, o.cost, o.cost_currency, o.type, o.operation, o.domain, o.action,
                   o.years, o.description) h;
  if transaction_id is null or owed is null then return; end if;
  bill_id := coalesce(b.transaction, ledger_bill(o.at, o.payers[1], b.customer, owed, b.currency, o.type, o.domain, o.action, o.years, o.description));
  if b.how = 'cancel' then
    update ledger_transaction t set status = 'cancelled', settled_at = o.at where t.id = bill_id;
    return;
  end if;
  update ledger_transaction t set operation_id = o.operation, purchase_id = ledger_hold_sealed.transaction_id,
    status = case b.how when 'pay' then 'pending' else 'unpaid' end, balance_after = case b.how when 'pay' then present - owed else t.balance_after end
  where t.id = bill_id;
  if b.how = 'pay' then
    perform ledger_move(o.at, array['hold', 'hold'], array[bill_id, bill_id], array[customer_account, held_account], array[-owed, owed]);
  end if;
end
$$;

-- Bills of a customer with all levels of their purchases, locked in one order. Others' are not found.
create function ledger_bills_lock(in_reseller bigint, in_customer bigint, in_ids bigint[]) returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  perform from ledger_transaction t
  where t.id = any (in_ids) or t.purchase_id in (
    select x.purchase_id from ledger_transaction x where x.id = any (in_ids) and x.reseller_id = in_reseller and x.customer_id = in_customer)
  order by t.id for no key update;
  return query select t.* from ledger_transaction t
    where t.id = any (in_ids) and t.reseller_id = in_reseller and t.customer_id = in_customer and t.type in ('domain', 'privacy_protect') order by t.id;
end
$$;

-- Pays the bill of an order that has run, from the customer's balance: at once where its purchase is completed, else with it. Answers with what
-- is missing; zero: paid.
create function ledger_bill_pay(in_at timestamptz, in_reseller bigint, in_bill bigint) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  bill ledger_transaction;
  fate text;
  owed bigint;
  present bigint;
  accounts bigint[];
begin
  perform from ledger_transaction t where t.id = in_bill or t.purchase_id = (select x.purchase_id from ledger_transaction x where x.id = in_bill)
  order by t.id for no key update;
  select * into bill from ledger_transaction t where t.id = in_bill;
  select t.status into fate from ledger_transaction t where t.id = bill.purchase_id and t.id <> bill.id;
  if not is_tenant(in_reseller) or bill.reseller_id is distinct from in_reseller or bill.status is distinct from 'unpaid'
    or coalesce(fate not in ('pending', 'completed'), true) then
    raise exception 'bill % is not to be paid', in_bill using errcode = 'no_data_found';
  end if;
  owed := bill.amount - bill.credited;
  accounts := array[ledger_account_id('customer', in_reseller, bill.customer_id, bill.currency),
                    ledger_account_id('held', in_reseller, bill.customer_id, bill.currency)];
  perform from ledger_account a where a.id = any (accounts) order by a.id for no key update;
  select a.balance into present from ledger_account a where a.id = accounts[1];
  if present < owed then return owed - present; end if;
  perform ledger_move(in_at, array['hold', 'hold'], array[bill.id, bill.id], accounts, array[-owed, owed]);
  if fate = 'completed' then
    perform ledger_move(in_at, array['capture', 'capture'], array[bill.id, bill.id],
      array[accounts[2], ledger_account_id('revenue', bill.seller_id, null, bill.currency)], array[-owed, owed]);
  end if;
  update ledger_transaction t set balance_after = present - owed,
    status = case fate when 'completed' then 'completed' else 'pending' end,
    captured = case fate when 'completed' then owed else 0 end,
    settled_at = case fate when 'completed' then in_at end
  where t.id = bill.id;
  return 0;
end
$$;

-- Of an order that waits.
create function ledger_bill_cancel(in_at timestamptz, in_reseller bigint, in_bill bigint) returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  return query update ledger_transaction t set status = 'cancelled', settled_at = in_at
    where t.id = in_bill and t.reseller_id = in_reseller and t.customer_id is not null and t.status = 'unpaid' and t.operation_id is null
    returning t.*;
end
$$;

-- As before (0003), and a bill goes with its purchase: paid, it is taken; owed, it stays owed, but for what was not bought.
create or replace function ledger_capture(in_at timestamptz, in_transaction bigint, in_amount bigint, in_cost bigint, in_cost_currency text)
returns setof ledger_transaction language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction := ledger_lock_purchase(in_transaction);
  part bigint := coalesce(in_amount, buyer.amount);
  level ledger_transaction;
  taken bigint;
  cost bigint;
  cost_in text;
  held bigint;
  operator bigint;
  postings text[] := '{}';
  transactions bigint[] := '{}';
  accounts bigint[] := '{}';
  amounts bigint[] := '{}';
begin
  if buyer.status <> 'pending' then return query select (buyer).*; return; end if;
  if part < 0 or part > buyer.amount then
    raise exception 'cannot capture % of %', part, buyer.amount using errcode = 'numeric_value_out_of_range';
  end if;
  for level in select * from ledger_transaction where purchase_id = in_transaction order by id loop
    taken := ledger_share(level.amount, part, buyer.amount);
    if level.status = 'unpaid' then
      update ledger_transaction set amount = taken,
        status = case when taken = 0 and level.amount > 0 then 'cancelled' else 'unpaid' end,
        settled_at = case when taken = 0 and level.amount > 0 then in_at end
      where id = level.id;
      continue;
    end if;
    if level.seller_id is not null then
      held := ledger_account_id('held', level.reseller_id, level.customer_id, level.currency);
      postings := postings || array['capture', 'capture', 'release', 'release'];
      transactions := transactions || array[level.id, level.id, level.id, level.id];
      accounts := accounts || array[held, ledger_account_id('revenue', level.seller_id, null, level.currency),
        held, ledger_account_id(case when level.customer_id is null then 'available' else 'customer' end, level.reseller_id, level.customer_id, level.currency)];
      amounts := amounts || array[-taken, taken, taken - level.amount, level.amount - taken];
    end if;
    cost := null;
    cost_in := null;
    operator := coalesce(level.seller_id, level.reseller_id);
    if level.customer_id is null and (select r.parent_id is null from reseller r where r.id = operator) then
      cost := coalesce(in_cost, ledger_share(level.cost_amount, part, buyer.amount));
      cost_in := coalesce(in_cost_currency, level.cost_currency);
    end if;
    if cost > 0 then
      postings := postings || array['capture', 'capture'];
      transactions := transactions || array[level.id, level.id];
      accounts := accounts || array[ledger_account_id('registry_cost', operator, null, cost_in),
                                    ledger_account_id('registry_payable', operator, null, cost_in)];
      amounts := amounts || array[-cost, cost];
    end if;
    update ledger_transaction set status = 'completed', captured = taken, settled_at = in_at,
      cost_amount = cost, cost_currency = cost_in, cost_posted = coalesce(cost, 0)
    where id = level.id;
  end loop;
  perform ledger_move(in_at, postings, transactions, accounts, amounts);
  return query select * from ledger_transaction where id = in_transaction;
end
$$;

-- As before (0027): a bill that had been paid is paid again, one that was owed is owed again.
create or replace function ledger_hold_again(in_at timestamptz, in_transaction bigint)
returns setof ledger_transaction language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction := ledger_lock_purchase(in_transaction);
begin
  if buyer.status = 'cancelled' then
    perform ledger_move(in_at, array_agg('release'::text), array_agg(e.transaction_id order by e.id), array_agg(e.account_id order by e.id),
                        array_agg(e.amount order by e.id))
    from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
    where t.purchase_id = in_transaction and e.posting = 'hold'
    having count(*) > 0;
    update ledger_transaction t set settled_at = null,
      status = case when t.customer_id is null or exists (select from ledger_entry e where e.transaction_id = t.id) then 'pending' else 'unpaid' end
    where t.purchase_id = in_transaction;
  end if;
  return query select * from ledger_transaction where id = in_transaction;
end
$$;

-- As before (0003), and a bill follows in the same measure: onto the customer's balance where it was paid, off what is owed where it was not.
create or replace function ledger_refund(in_at timestamptz, in_transaction bigint, in_total bigint, in_keep_cost boolean)
returns setof ledger_transaction language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction := ledger_lock_purchase(in_transaction);
  total bigint := coalesce(in_total, buyer.captured);
  level ledger_transaction;
  step bigint;
  cost bigint;
  operator bigint;
  transactions bigint[] := '{}';
  accounts bigint[] := '{}';
  amounts bigint[] := '{}';
begin
  if buyer.status <> 'completed' or total < buyer.refunded then return query select (buyer).*; return; end if;
  if total > buyer.captured then
    raise exception 'cannot refund % of %', total, buyer.captured using errcode = 'numeric_value_out_of_range';
  end if;
  for level in select * from ledger_transaction where purchase_id = in_transaction order by id loop
    continue when level.status = 'cancelled';
    if level.status = 'unpaid' then
      step := ledger_share(level.amount, total, buyer.captured);
      update ledger_transaction set credited = greatest(level.credited, step),
        status = case when total = buyer.captured then 'cancelled' else 'unpaid' end,
        settled_at = case when total = buyer.captured then in_at end
      where id = level.id;
      continue;
    end if;
    step := greatest(0, ledger_share(level.captured + level.credited, total, buyer.captured) - level.credited - level.refunded);
    if level.seller_id is not null and step > 0 then
      transactions := transactions || array[level.id, level.id];
      accounts := accounts || array[ledger_account_id('revenue', level.seller_id, null, level.currency),
        ledger_account_id(case when level.customer_id is null then 'available' else 'customer' end, level.reseller_id, level.customer_id, level.currency)];
      amounts := amounts || array[-step, step];
    end if;
    -- The registry gives back in the same measure, unless it keeps its fee.
    cost := case when in_keep_cost or level.cost_amount is null then 0
      else greatest(0, level.cost_posted - (level.cost_amount - ledger_share(level.cost_amount, total, buyer.captured))) end;
    if cost > 0 then
      operator := coalesce(level.seller_id, level.reseller_id);
      transactions := transactions || array[level.id, level.id];
      accounts := accounts || array[ledger_account_id('registry_payable', operator, null, level.cost_currency),
                                    ledger_account_id('registry_cost', operator, null, level.cost_currency)];
      amounts := amounts || array[-cost, cost];
    end if;
    update ledger_transaction set refunded = level.refunded + step, cost_posted = level.cost_posted - cost,
      status = case when total = buyer.captured then 'refunded' else 'completed' end
    where id = level.id;
  end loop;
  perform ledger_move(in_at, array_fill('refund'::text, array[cardinality(amounts)]), transactions, accounts, amounts);
  return query select * from ledger_transaction where id = in_transaction;
end
$$;

revoke all on function ledger_bill, ledger_bill_sealed, ledger_hold_sealed, ledger_bills_lock, ledger_bill_pay, ledger_bill_cancel from public;
revoke execute on function ledger_bill from namehold_clockwork;
grant execute on function ledger_bill_sealed, ledger_hold_sealed to namehold_app, namehold_clockwork;
