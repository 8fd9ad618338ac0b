-- All movements of money (decision 0007). Requests call only the functions that take a signed text or only read.

-- Stricter than a check at commit: every insert must balance per transaction and currency.
create or replace function ledger_entry_balanced() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  if exists (select from added group by transaction_id, currency having sum(amount) <> 0) then
    raise exception 'ledger entries do not sum to zero' using errcode = 'check_violation', constraint = 'ledger_entry_balanced';
  end if;
  return null;
end
$$;

create or replace function ledger_append_only() returns trigger
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

create or replace function ledger_account_id(in_kind text, in_reseller bigint, in_customer bigint, in_currency text) returns bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  found_id bigint;
begin
  loop
    select id into found_id from ledger_account
    where reseller_id = in_reseller and customer_id is not distinct from in_customer and currency = in_currency and kind = in_kind;
    if found then return found_id; end if;
    insert into ledger_account (kind, reseller_id, customer_id, currency, balance)
    values (in_kind, in_reseller, in_customer, in_currency, case when in_kind in ('available', 'held', 'customer') then 0 end)
    on conflict on constraint ledger_account_one do nothing;
  end loop;
end
$$;

-- Every change of a balance: locks the accounts in id order, changes them, and writes the entries in one statement.
create or replace function ledger_move(
  in_at timestamptz, in_postings text[], in_transactions bigint[], in_accounts bigint[], in_amounts bigint[]
) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
begin
  perform from ledger_account where id = any (in_accounts) and balance is not null order by id for no key update;
  -- Clocks of processes differ, so an entry is never older than the last one of its account.
  update ledger_account a set balance = a.balance + m.amount, moved_at = greatest(a.moved_at, in_at),
    overdrawn = least(a.overdrawn, greatest(0, -(a.balance + m.amount) - a.credit_limit))
  from (select account, sum(amount) as amount from unnest(in_accounts, in_amounts) as u (account, amount) where amount <> 0 group by account) m
  where a.id = m.account and a.balance is not null;
  insert into ledger_entry (transaction_id, account_id, posting, amount, currency, at, balance)
  select u.transaction, u.account, u.posting, u.amount, a.currency, coalesce(a.moved_at, in_at),
    (a.balance - sum(u.amount) over (partition by u.account) + sum(u.amount) over (partition by u.account order by u.place))::bigint
  from unnest(in_postings, in_transactions, in_accounts, in_amounts) with ordinality as u (posting, transaction, account, amount, place)
  join ledger_account a on a.id = u.account
  where u.amount <> 0
  order by u.place;
end
$$;

create or replace function ledger_hold(
  in_at timestamptz, in_payers bigint[], in_sellers bigint[], in_amounts bigint[], in_currencies text[], in_cost bigint,
  in_cost_currency text, in_type text, in_operation text, in_domain bigint, in_action text, in_years integer,
  in_description text, out transaction_id bigint, out lacking_place integer, out missing bigint
)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  size integer := cardinality(in_payers);
  available bigint[] := '{}';
  held bigint[] := '{}';
  ids bigint[] := '{}';
  balances bigint[] := '{}';
  present bigint;
  room bigint;
begin
  if not is_tenant(in_payers[1]) then
    raise exception 'reseller % is not the tenant', in_payers[1] using errcode = 'insufficient_privilege';
  end if;
  for place in 1 .. size loop
    -- A level pays its parent, which is the next level.
    perform from reseller r where r.id = in_payers[place] and r.parent_id is not distinct from in_sellers[place];
    if not found or (place > 1 and in_payers[place] <> in_sellers[place - 1]) or in_amounts[place] < 0 then
      raise exception 'the levels are not the chain of reseller %', in_payers[1] using errcode = 'data_exception';
    end if;
  end loop;
  if in_sellers[size] is not null and exists (select from reseller r where r.id = in_sellers[size] and r.parent_id is not null) then
    raise exception 'the chain of reseller % does not reach the operator', in_payers[1] using errcode = 'data_exception';
  end if;
  if in_operation is not null then
    select t.id into transaction_id from ledger_transaction t
    where t.operation_id = in_operation and t.reseller_id = in_payers[1] and t.id = t.purchase_id;
    if found then return; end if;
  end if;
  for place in 1 .. size loop
    available[place] := ledger_account_id('available', in_payers[place], null, in_currencies[place]);
    held[place] := ledger_account_id('held', in_payers[place], null, in_currencies[place]);
  end loop;
  perform from ledger_account where id = any (available || held) order by id for no key update;
  for place in 1 .. size loop
    select a.balance, a.balance + a.credit_limit into present, room from ledger_account a where a.id = available[place];
    balances[place] := present;
    -- Purchases of the operator hold no money.
    continue when in_sellers[place] is null;
    balances[place] := present - in_amounts[place];
    if in_amounts[place] > room then
      lacking_place := place;
      missing := in_amounts[place] - room;
      return;
    end if;
  end loop;
  for place in 1 .. size loop
    ids[place] := nextval('ledger_transaction_id_seq');
    insert into ledger_transaction (id, purchase_id, reseller_id, seller_id, type, status, direction, amount, currency, balance_after,
                                    cost_amount, cost_currency, description, operation_id, domain_id, action, years, created_at)
    values (ids[place], ids[1], in_payers[place], in_sellers[place], in_type, 'pending', 'debit', in_amounts[place], in_currencies[place],
            balances[place], case when place = size then in_cost end, case when place = size then in_cost_currency end,
            in_description, in_operation, in_domain, in_action, in_years, in_at);
  end loop;
  transaction_id := ids[1];
  if in_sellers[1] is null then return; end if;
  perform ledger_move(in_at, array_fill('hold'::text, array[2 * size]), ids || ids, available || held,
    (select array_agg(-a order by n) from unnest(in_amounts) with ordinality as u (a, n)) || in_amounts);
end
$$;

create or replace function ledger_lock_purchase(in_transaction bigint) returns ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction;
begin
  perform from ledger_transaction where purchase_id = in_transaction order by id for no key update;
  select * into buyer from ledger_transaction where id = in_transaction and purchase_id = id;
  if not found or not is_tenant(buyer.reseller_id) then
    raise exception 'no purchase %', in_transaction using errcode = 'no_data_found';
  end if;
  return buyer;
end
$$;

-- Rounds half up, and exactly if the whole is taken.
create or replace function ledger_share(whole bigint, part bigint, total bigint) returns bigint
language sql immutable parallel safe set search_path = pg_catalog, public, pg_temp as $$
  -- Half-up, and exact for the whole.
  select case when part = total or total = 0 then whole else floor(whole::numeric * part / total + 0.5)::bigint end
$$;

create or replace function ledger_capture(in_at timestamptz, in_transaction bigint, in_amount bigint, in_cost bigint, in_cost_currency text)
returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

create or replace function ledger_release(in_at timestamptz, in_transaction bigint) returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction := ledger_lock_purchase(in_transaction);
begin
  if buyer.status = 'pending' then
    -- The entries of the hold, with the opposite sign.
    perform ledger_move(in_at, array_agg('release'::text), array_agg(e.transaction_id order by e.id), array_agg(e.account_id order by e.id),
                        array_agg(-e.amount order by e.id))
    from ledger_entry e join ledger_transaction t on t.id = e.transaction_id
    where t.purchase_id = in_transaction and e.posting = 'hold'
    having count(*) > 0;
    update ledger_transaction set status = 'cancelled', settled_at = in_at where purchase_id = in_transaction;
  end if;
  return query select * from ledger_transaction where id = in_transaction;
end
$$;

create or replace function ledger_refund(in_at timestamptz, in_transaction bigint, in_total bigint, in_keep_cost boolean)
returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  buyer ledger_transaction := ledger_lock_purchase(in_transaction);
  total bigint := coalesce(in_total, buyer.captured);
  level ledger_transaction;
  given bigint;
  step bigint;
  cost bigint;
  operator bigint;
  transactions bigint[] := '{}';
  accounts bigint[] := '{}';
  amounts bigint[] := '{}';
begin
  if buyer.status <> 'completed' or total < greatest(buyer.refunded, coalesce(buyer.returned, 0)) then return query select (buyer).*; return; end if;
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
    given := coalesce((select c.given from invoice_charge c where c.transaction_id = level.id and c.replaced_by is null), 0);
    step := greatest(0, ledger_share(level.captured + level.credited, total, buyer.captured) - level.credited - level.refunded - given);
    if level.seller_id is not null and step > 0 then
      transactions := transactions || array[level.id, level.id];
      accounts := accounts || array[ledger_account_id('revenue', level.seller_id, null, level.currency),
        ledger_account_id(case when level.customer_id is null then 'available' else 'customer' end, level.reseller_id, level.customer_id, level.currency)];
      amounts := amounts || array[-step, step];
    end if;
    -- The registry refunds the same share, unless it keeps its fee.
    cost := case when in_keep_cost or level.cost_amount is null then 0
      else greatest(0, level.cost_posted - (level.cost_amount - ledger_share(level.cost_amount, total, buyer.captured))) end;
    if cost > 0 then
      operator := coalesce(level.seller_id, level.reseller_id);
      transactions := transactions || array[level.id, level.id];
      accounts := accounts || array[ledger_account_id('registry_payable', operator, null, level.cost_currency),
                                    ledger_account_id('registry_cost', operator, null, level.cost_currency)];
      amounts := amounts || array[-cost, cost];
    end if;
    update ledger_transaction set refunded = level.refunded + step, returned = case when level.id = in_transaction then total end, cost_posted = level.cost_posted - cost,
      status = case when total = buyer.captured or (level.customer_id is not null and level.captured > 0 and level.refunded + step = level.captured)
        then 'refunded' else 'completed' end
    where id = level.id;
  end loop;
  perform ledger_move(in_at, array_fill('refund'::text, array[cardinality(amounts)]), transactions, accounts, amounts);
  return query select * from ledger_transaction where id = in_transaction;
end
$$;

create or replace function ledger_post(
  in_at timestamptz, in_posting text, in_funder bigint, in_reseller bigint, in_customer bigint, in_amount bigint,
  in_currency text, in_description text
) returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  account bigint;
  entered text := case in_posting when 'chargeback' then 'debit' else in_posting end;
  step bigint := case in_posting when 'fund' then in_amount else -in_amount end;
  after bigint;
  new_id bigint;
begin
  if not is_tenant(in_funder) or in_amount <= 0 or in_posting not in ('fund', 'debit', 'chargeback')
    or (in_customer is null and not exists (select from reseller r where r.id = in_reseller and r.parent_id = in_funder))
    or (in_customer is not null and in_reseller <> in_funder) then
    raise exception 'reseller % may not post this', in_funder using errcode = 'insufficient_privilege';
  end if;
  account := ledger_account_id(case when in_customer is null then 'available' else 'customer' end, in_reseller, in_customer, in_currency);
  select a.balance + step into after from ledger_account a
  where a.id = account and (step > 0 or in_posting = 'chargeback' or a.balance + step >= -a.credit_limit) for no key update;
  if not found then return; end if;
  new_id := nextval('ledger_transaction_id_seq');
  insert into ledger_transaction (id, purchase_id, reseller_id, customer_id, seller_id, type, status, direction, amount, captured, currency,
                                  balance_after, description, created_at, settled_at)
  values (new_id, new_id, in_reseller, in_customer, in_funder,
          case in_posting when 'fund' then 'deposit' else 'note' end, 'completed',
          case in_posting when 'fund' then 'credit' else 'debit' end, in_amount, in_amount, in_currency, after, in_description, in_at, in_at);
  if in_posting = 'chargeback' then
    update ledger_account a set overdrawn = greatest(a.overdrawn, -after - a.credit_limit) where a.id = account;
  end if;
  perform ledger_move(in_at, array[entered, entered], array[new_id, new_id],
    array[account, ledger_account_id('receivable', in_funder, null, in_currency)], array[step, -step]);
  return query select * from ledger_transaction where id = new_id;
end
$$;

create or replace function ledger_set_credit_limit(in_parent bigint, in_reseller bigint, in_currency text, in_limit bigint)
returns setof ledger_account
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  account bigint;
begin
  if not is_tenant(in_parent) or not exists (select from reseller r where r.id = in_reseller and r.parent_id = in_parent) then
    raise exception 'reseller % may not set this', in_parent using errcode = 'insufficient_privilege';
  end if;
  account := ledger_account_id('available', in_reseller, null, in_currency);
  return query update ledger_account a set credit_limit = in_limit where a.id = account and a.balance >= -in_limit returning a.*;
end
$$;

create or replace function ledger_balance(
  in_viewer bigint, in_reseller bigint, in_currency text, out available bigint, out held bigint, out credit_limit bigint
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_viewer) or not exists (select from reseller r where r.id = in_reseller and in_viewer in (r.id, r.parent_id)) then
    raise exception 'reseller % may not read this', in_viewer using errcode = 'insufficient_privilege';
  end if;
  select coalesce(sum(a.balance) filter (where a.kind = 'available'), 0), coalesce(sum(a.balance) filter (where a.kind = 'held'), 0),
         coalesce(sum(a.credit_limit), 0)
  into available, held, credit_limit
  from ledger_account a
  where a.reseller_id = in_reseller and a.customer_id is null and a.currency = in_currency and a.kind in ('available', 'held');
end
$$;

-- Reverses a release: holds the money again at every level, or at none.
create or replace function ledger_hold_again(in_at timestamptz, in_transaction bigint) returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

-- The charge of a registry that renewed by itself. The operator pays it until a purchase takes it over.
create or replace function ledger_registry_charge(
  in_at timestamptz, in_domain bigint, in_period timestamptz, in_cost bigint, in_currency text, in_description text
) returns setof bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  operator bigint := (select r.id from reseller r where r.parent_id is null order by r.id limit 1);
  new_id bigint := nextval('ledger_transaction_id_seq');
begin
  if in_cost <= 0 then
    raise exception 'a registry charges more than %', in_cost using errcode = 'numeric_value_out_of_range';
  end if;
  insert into ledger_transaction (id, purchase_id, reseller_id, type, status, direction, amount, currency, balance_after,
                                  cost_amount, cost_currency, cost_posted, description, domain_id, action, years, period, created_at, settled_at)
  values (new_id, new_id, operator, 'registry', 'completed', 'debit', 0, in_currency, 0,
          in_cost, in_currency, in_cost, in_description, in_domain, 'auto_renew', 1, in_period, in_at, in_at)
  on conflict (domain_id, period) where type = 'registry' and status = 'completed' do nothing;
  if not found then return; end if;
  perform ledger_move(in_at, array['capture', 'capture'], array[new_id, new_id],
    array[ledger_account_id('registry_cost', operator, null, in_currency), ledger_account_id('registry_payable', operator, null, in_currency)],
    array[-in_cost, in_cost]);
  return next new_id;
end
$$;

create or replace function ledger_registry_charge_end(in_at timestamptz, in_transaction bigint, in_status text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  charge ledger_transaction;
begin
  if in_status not in ('cancelled', 'refunded') then
    raise exception 'a charge does not end as %', in_status using errcode = 'data_exception';
  end if;
  select * into charge from ledger_transaction where id = in_transaction and type = 'registry' and status = 'completed' for no key update;
  if not found then return; end if;
  perform ledger_move(in_at, array['refund', 'refund'], array[charge.id, charge.id],
    array[ledger_account_id('registry_payable', charge.reseller_id, null, charge.cost_currency),
          ledger_account_id('registry_cost', charge.reseller_id, null, charge.cost_currency)],
    array[-charge.cost_posted, charge.cost_posted]);
  update ledger_transaction set status = in_status, cost_posted = 0, settled_at = in_at where id = charge.id;
end
$$;

create or replace function ledger_bill(
  in_at timestamptz, in_reseller bigint, in_customer bigint, in_amount bigint, in_currency text, in_type text, in_domain bigint,
  in_action text, in_years integer, in_description text
) returns bigint
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

create or replace function ledger_bill_sealed(in_order text, in_seal text) returns bigint
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

-- Holds the money of a purchase from a signed text. No account in the chain may be suspended.
create or replace function ledger_hold_sealed(
  in_order text, in_seal text, out transaction_id bigint, out lacking_place integer, out missing bigint,
  out inactive_place integer, out bill_id bigint
)
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
      -- All accounts of all levels in the order of their ids, as in every other movement.
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

create or replace function ledger_bills_lock(in_reseller bigint, in_customer bigint, in_ids bigint[]) returns setof ledger_transaction
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

create or replace function ledger_bill_pay(in_at timestamptz, in_reseller bigint, in_bill bigint) returns bigint
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

create or replace function ledger_bill_credit(in_at timestamptz, in_reseller bigint, in_bill bigint, in_amount bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  bill ledger_transaction;
  fate text;
begin
  perform from ledger_transaction t where t.id = in_bill or t.purchase_id = (select x.purchase_id from ledger_transaction x where x.id = in_bill)
  order by t.id for no key update;
  select * into bill from ledger_transaction t where t.id = in_bill and t.customer_id is not null and t.type in ('domain', 'privacy_protect');
  select t.status into fate from ledger_transaction t where t.id = bill.purchase_id and t.id <> bill.id;
  if not is_tenant(in_reseller) or bill.reseller_id is distinct from in_reseller or bill.status not in ('unpaid', 'completed')
    or fate is distinct from 'completed' or in_amount <= 0
    or in_amount > (case bill.status when 'unpaid' then bill.amount - bill.credited else bill.captured - bill.refunded end) then
    raise exception 'so much of bill % cannot be credited', in_bill using errcode = 'no_data_found';
  end if;
  if bill.status = 'unpaid' then
    update ledger_transaction t set credited = t.credited + in_amount,
      status = case when t.credited + in_amount = t.amount then 'cancelled' else 'unpaid' end,
      settled_at = case when t.credited + in_amount = t.amount then in_at end
    where t.id = bill.id;
    return;
  end if;
  perform ledger_move(in_at, array['refund', 'refund'], array[bill.id, bill.id],
    array[ledger_account_id('revenue', bill.seller_id, null, bill.currency), ledger_account_id('customer', in_reseller, bill.customer_id, bill.currency)],
    array[-in_amount, in_amount]);
  update ledger_transaction t set refunded = t.refunded + in_amount,
    status = case when t.refunded + in_amount = t.captured then 'refunded' else 'completed' end
  where t.id = bill.id;
end
$$;

create or replace function ledger_statement_account(
  in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_kind text
) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not coalesce((is_tenant(in_viewer) and acting_customer() is null) or (in_viewer = customer_reseller() and in_customer = current_customer()), false)
    or (in_customer is not null and in_reseller <> in_viewer)
    or not exists (select from reseller r where r.id = in_reseller and in_viewer in (r.id, r.parent_id)) then
    raise exception 'reseller % may not read this', in_viewer using errcode = 'insufficient_privilege';
  end if;
  return (select a.id from ledger_account a
    where a.reseller_id = in_reseller and a.customer_id is not distinct from in_customer and a.currency = in_currency and a.kind = in_kind);
end
$$;

create or replace function ledger_balance_at(
  in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_at timestamptz, out available bigint,
  out held bigint
)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  spendable bigint := ledger_statement_account(in_viewer, in_reseller, in_customer, in_currency, case when in_customer is null then 'available' else 'customer' end);
  aside bigint := ledger_statement_account(in_viewer, in_reseller, in_customer, in_currency, 'held');
begin
  available := coalesce((select e.balance from ledger_entry e where e.account_id = spendable and e.at < in_at order by e.at desc, e.id desc limit 1), 0);
  held := coalesce((select e.balance from ledger_entry e where e.account_id = aside and e.at < in_at order by e.at desc, e.id desc limit 1), 0);
end
$$;

create or replace function ledger_lines(
  in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_from timestamptz, in_to timestamptz,
  in_after bigint, in_limit integer
)
returns table(id bigint, at timestamptz, posting text, amount bigint, balance bigint, transaction_id bigint, type text, description text, domain_id bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  account bigint := ledger_statement_account(in_viewer, in_reseller, in_customer, in_currency, case when in_customer is null then 'available' else 'customer' end);
  begins timestamptz := in_from;
begin
  if in_after > 0 then
    select greatest(begins, e.at) into begins from ledger_entry e where e.id = in_after and e.account_id = account;
    -- Not a line of this account: no line follows it.
    if not found then return; end if;
  end if;
  return query
    select e.id, e.at, e.posting, e.amount, e.balance, e.transaction_id, t.type, t.description, t.domain_id
    from (
      select x.* from ledger_entry x
      where x.account_id = account and (x.at, x.id) > (begins, in_after) and x.at < in_to
      order by x.at, x.id limit in_limit
    ) e join ledger_transaction t on t.id = e.transaction_id
    order by e.at, e.id;
end
$$;

create or replace function ledger_lock_payers(in_reseller bigint, in_customer bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  perform from ledger_account a
  where a.balance is not null
    and case when a.customer_id is null then
          a.kind in ('available', 'held') or (a.kind = 'revenue' and a.reseller_id = in_reseller)
        else a.customer_id = in_customer and a.reseller_id = in_reseller end
    and a.reseller_id in (
      with recursive chain (id, parent) as (
        select r.id, r.parent_id from reseller r where r.id = in_reseller
        union all
        -- The operator pays no other account.
        select r.id, r.parent_id from chain join reseller r on r.id = chain.parent where r.parent_id is not null)
      select chain.id from chain)
  order by a.id for no key update of a;
end
$$;

create or replace function ledger_bill_cancel(in_at timestamptz, in_reseller bigint, in_bill bigint, in_reason text default null::text)
returns setof ledger_transaction
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_reseller) then
    raise exception 'reseller % is not the tenant', in_reseller using errcode = 'insufficient_privilege';
  end if;
  return query update ledger_transaction t set status = 'cancelled', settled_at = in_at, cancel_reason = in_reason
    where t.id = in_bill and t.reseller_id = in_reseller and t.customer_id is not null and t.status = 'unpaid' and t.operation_id is null
    returning t.*;
end
$$;

create or replace function ledger_days(in_viewer bigint, in_reseller bigint, in_currency text, in_from timestamptz, in_to timestamptz)
returns table(day date, spent bigint, funded bigint, balance bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  account bigint := ledger_statement_account(in_viewer, in_reseller, null, in_currency, 'available');
begin
  return query
    select (e.at at time zone 'UTC')::date,
      coalesce(-sum(e.amount) filter (where e.posting <> 'fund'), 0)::bigint,
      coalesce(sum(e.amount) filter (where e.posting = 'fund'), 0)::bigint,
      (array_agg(e.balance order by e.at desc, e.id desc))[1]
    from ledger_entry e where e.account_id = account and e.at >= in_from and e.at < in_to
    group by 1 order by 1;
end
$$;

-- A cost of a registry that belongs to no purchase.
create or replace function ledger_registry_cost(
  in_at timestamptz, in_domain bigint, in_charged_at timestamptz, in_action text, in_cost bigint, in_currency text,
  in_description text
) returns setof bigint
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  operator bigint := (select r.id from reseller r where r.parent_id is null order by r.id limit 1);
  new_id bigint := nextval('ledger_transaction_id_seq');
begin
  if in_cost <= 0 then
    raise exception 'a registry charges more than %', in_cost using errcode = 'numeric_value_out_of_range';
  end if;
  insert into ledger_transaction (id, purchase_id, reseller_id, type, status, direction, amount, currency, balance_after,
                                  cost_amount, cost_currency, cost_posted, description, domain_id, action, years, period, created_at, settled_at)
  values (new_id, new_id, operator, 'registry', 'completed', 'debit', 0, in_currency, 0,
          in_cost, in_currency, in_cost, in_description, in_domain, in_action, 1, in_charged_at, in_at, in_at)
  on conflict (domain_id, period) where type = 'registry' and status = 'completed' do nothing;
  if not found then return; end if;
  perform ledger_move(in_at, array['capture', 'capture'], array[new_id, new_id],
    array[ledger_account_id('registry_cost', operator, null, in_currency), ledger_account_id('registry_payable', operator, null, in_currency)],
    array[-in_cost, in_cost]);
  return next new_id;
end
$$;

revoke execute on function
  ledger_entry_balanced, ledger_append_only, ledger_account_id, ledger_move, ledger_hold, ledger_lock_purchase, ledger_share,
  ledger_capture, ledger_release, ledger_refund, ledger_post, ledger_set_credit_limit, ledger_balance, ledger_hold_again,
  ledger_registry_charge, ledger_registry_charge_end, ledger_bill, ledger_bill_sealed, ledger_hold_sealed, ledger_bills_lock,
  ledger_bill_pay, ledger_bill_credit, ledger_statement_account, ledger_balance_at, ledger_lines, ledger_lock_payers,
  ledger_bill_cancel, ledger_days, ledger_registry_cost
from public, namehold_app, namehold_clockwork, namehold_retention;
grant execute on function
  ledger_entry_balanced, ledger_append_only, ledger_hold, ledger_share, ledger_capture, ledger_release, ledger_refund, ledger_post,
  ledger_set_credit_limit, ledger_balance, ledger_hold_again, ledger_registry_charge, ledger_registry_charge_end, ledger_bill_sealed,
  ledger_hold_sealed, ledger_bills_lock, ledger_bill_pay, ledger_bill_credit, ledger_statement_account, ledger_balance_at,
  ledger_lines, ledger_lock_payers, ledger_bill_cancel, ledger_days, ledger_registry_cost
to namehold_clockwork;
grant execute on function
  ledger_balance, ledger_bill_sealed, ledger_hold_sealed, ledger_balance_at, ledger_lines, ledger_lock_payers, ledger_days
to namehold_app;
