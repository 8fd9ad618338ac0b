-- oldest release: 0.1.0
-- What was spent and paid in on each day (UTC), and what could be spent at its end; days on which nothing moved are left out. Holds count when they
-- are taken, and what came back takes away from what was spent.
create function ledger_days(in_viewer bigint, in_reseller bigint, in_currency text, in_from timestamptz, in_to timestamptz)
returns table (day date, spent bigint, funded bigint, balance bigint)
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

revoke all on function ledger_days from public;
grant execute on function ledger_days to namehold_app, namehold_clockwork;
