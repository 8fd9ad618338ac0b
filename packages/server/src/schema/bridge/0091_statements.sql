-- oldest release: 0.1.0
-- Statements (decision 0052). An entry on an account with a balance says what that was after it, and none is older than the one before it on the same
-- account: the balance at any past moment is one row of an index, and a page of a statement is as many rows as it has lines.
alter table ledger_account
  -- When it last changed; only of accounts with a balance.
  add column moved_at timestamptz;
alter table ledger_entry add column balance bigint;

alter table ledger_entry disable trigger ledger_entry_append_only;
update ledger_entry e set balance = r.balance, at = r.at
from (
  select x.id, sum(x.amount) over account as balance, max(x.at) over account as at
  from ledger_entry x join ledger_account a on a.id = x.account_id where a.balance is not null
  -- Who writes an entry holds the lock on its account: ids are in the order of their commits.
  window account as (partition by x.account_id order by x.id)
) r where r.id = e.id;
alter table ledger_entry enable trigger ledger_entry_append_only;
update ledger_account a set moved_at = (select max(e.at) from ledger_entry e where e.account_id = a.id) where a.balance is not null;

drop index ledger_entry_account;
create index ledger_entry_account on ledger_entry (account_id, at, id) include (amount, balance);

-- Every change of a balance happens here: locks in id order, then changes, then writes the entries in one statement.
create or replace function ledger_move(in_at timestamptz, in_postings text[], in_transactions bigint[], in_accounts bigint[], in_amounts bigint[])
returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from ledger_account where id = any (in_accounts) and balance is not null order by id for no key update;
  -- Whoever came later may have a clock that is behind: an account goes by the latest that it has seen.
  update ledger_account a set balance = a.balance + m.amount, moved_at = greatest(a.moved_at, in_at)
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

-- The account of a statement, for whoever may read it: of the viewer itself, of a direct child, of a customer of its own. Null where nothing ever moved.
create function ledger_statement_account(in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_kind text) returns bigint
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not is_tenant(in_viewer)
    or (in_customer is not null and in_reseller <> in_viewer)
    or not exists (select from reseller r where r.id = in_reseller and in_viewer in (r.id, r.parent_id)) then
    raise exception 'reseller % may not read this', in_viewer using errcode = 'insufficient_privilege';
  end if;
  return (select a.id from ledger_account a
    where a.reseller_id = in_reseller and a.customer_id is not distinct from in_customer and a.currency = in_currency and a.kind = in_kind);
end
$$;

-- What had been entered before this moment.
create function ledger_balance_at(in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_at timestamptz,
                                  out available bigint, out held bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  spendable bigint := ledger_statement_account(in_viewer, in_reseller, in_customer, in_currency, case when in_customer is null then 'available' else 'customer' end);
  aside bigint := ledger_statement_account(in_viewer, in_reseller, in_customer, in_currency, 'held');
begin
  available := coalesce((select e.balance from ledger_entry e where e.account_id = spendable and e.at < in_at order by e.at desc, e.id desc limit 1), 0);
  held := coalesce((select e.balance from ledger_entry e where e.account_id = aside and e.at < in_at order by e.at desc, e.id desc limit 1), 0);
end
$$;

-- From the first moment on and before the second, after the entry that the last page ended with.
create function ledger_lines(in_viewer bigint, in_reseller bigint, in_customer bigint, in_currency text, in_from timestamptz, in_to timestamptz,
                             in_after bigint, in_limit integer)
returns table (id bigint, at timestamptz, posting text, amount bigint, balance bigint, transaction_id bigint, type text, description text, domain_id bigint)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  account bigint := ledger_statement_account(in_viewer, in_reseller, in_customer, in_currency, case when in_customer is null then 'available' else 'customer' end);
  begins timestamptz := in_from;
begin
  if in_after > 0 then
    select greatest(begins, e.at) into begins from ledger_entry e where e.id = in_after and e.account_id = account;
    -- No line of this account: nothing comes after it.
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

revoke all on function ledger_statement_account, ledger_balance_at, ledger_lines from public;
grant execute on function ledger_balance_at, ledger_lines to namehold_app, namehold_clockwork;
