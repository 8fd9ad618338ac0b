-- oldest release: 0.1.0
-- Money that a provider takes back (decision 0057), and a bill that was given back whole stays so.

-- What charge-backs took beyond what was there. Nobody can spend into it, and what comes in fills it up first.
alter table ledger_account add column overdrawn bigint not null default 0 check (overdrawn >= 0),
  drop constraint ledger_account_limit,
  add constraint ledger_account_limit check (balance >= -credit_limit - overdrawn);

-- As before (0091); what is overdrawn shrinks with every movement that lifts the balance.
create or replace function ledger_move(in_at timestamptz, in_postings text[], in_transactions bigint[], in_accounts bigint[], in_amounts bigint[])
returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from ledger_account where id = any (in_accounts) and balance is not null order by id for no key update;
  -- Whoever came later may have a clock that is behind: an account goes by the latest that it has seen.
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

-- As before (0003), and `chargeback`: a debit that asks for no cover.
create or replace function ledger_post(
  in_at timestamptz, in_posting text, in_funder bigint, in_reseller bigint, in_customer bigint, in_amount bigint, in_currency text,
  in_description text)
returns setof ledger_transaction language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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

-- What came and was taken back again.
alter table expected_payment add column charged_back bigint not null default 0,
  add constraint expected_payment_charged_back check (charged_back between 0 and received);

-- As before (0074); a bill of which a credit note has given back more than this is left as it is.
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
      status = case when total = buyer.captured or (level.customer_id is not null and level.captured > 0 and level.refunded + step = level.captured)
        then 'refunded' else 'completed' end
    where id = level.id;
  end loop;
  perform ledger_move(in_at, array_fill('refund'::text, array[cardinality(amounts)]), transactions, accounts, amounts);
  return query select * from ledger_transaction where id = in_transaction;
end
$$;

-- Why an order that waited does not any more; null: from before it was noted.
alter table ledger_transaction add column cancel_reason text check (cancel_reason in ('asked', 'unpaid', 'gone'));
drop function ledger_bill_cancel(timestamptz, bigint, bigint);
create function ledger_bill_cancel(in_at timestamptz, in_reseller bigint, in_bill bigint, in_reason text default null) returns setof ledger_transaction
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
revoke all on function ledger_bill_cancel from public;
grant execute on function ledger_bill_cancel to namehold_clockwork;
