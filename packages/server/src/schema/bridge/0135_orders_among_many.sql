-- oldest release: 0.1.0
-- What an order asks must cost the same among a million others as among ten.

-- The unique indexes of an operation's holds and of its bill each leave out the other: to find all of them every order read the whole table.
create index ledger_transaction_of_operation on ledger_transaction (operation_id) where operation_id is not null;

-- Who uses the nameservers below a name is asked before it is deleted.
create index domain_nameservers on domain using gin (nameservers) where state not in ('removed', 'unpaid');

-- One question with `or` and `limit` was planned as a walk through all zones once its plan was kept. Two, each along an index: sorted as the
-- index is, so that no plan takes a walk for a short cut.
create or replace function zone_name_in_the_way(asked text, asker bigint) returns text
language plpgsql volatile security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  labels text[] := string_to_array(asked, '.');
  above text[] := array(
    select array_to_string(labels[n:], '.') from generate_series(2, cardinality(labels) - 1) n order by n desc);
  parent text;
  found text;
begin
  foreach parent in array above loop
    perform pg_advisory_xact_lock_shared(hashtextextended(parent, 5353));
  end loop;
  perform pg_advisory_xact_lock(hashtextextended(asked, 5353));
  foreach parent in array above loop
    select z.name into found from zone z join domain d on d.id = z.domain_id and d.state <> 'removed'
    where z.state = 'active' and z.name = parent and z.reseller_id <> asker;
    if found is not null then return found; end if;
  end loop;
  -- Children: the reversed name begins with the reversed parent; '/' follows '.' in ASCII.
  select z.name into found from zone z join domain d on d.id = z.domain_id and d.state <> 'removed'
  where z.state = 'active' and z.reseller_id <> asker
    and reverse(z.name) ~>=~ reverse('.' || asked) and reverse(z.name) ~<~ reverse('/' || asked)
  order by reverse(z.name) using ~<~ limit 1;
  return found;
end
$$;
