-- Called first by each policy file, for all its tables: removes what an earlier version of the file granted.
-- namehold_clockwork then sees every row of a table with row-level security; a policy file adds what namehold_app may see.
create or replace function reset_access(variadic in_tables regclass[]) returns void
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  one regclass;
  policy name;
begin
  foreach one in array in_tables loop
    for policy in select polname from pg_policy where polrelid = one loop
      execute format('drop policy %I on %s', policy, one);
    end loop;
    execute format('revoke all on %s from public, namehold_app, namehold_clockwork, namehold_retention', one);
    if (select relrowsecurity from pg_class where oid = one) then
      execute format('create policy clockwork on %s to namehold_clockwork using (true) with check (true)', one);
    end if;
  end loop;
end
$$;

revoke execute on function reset_access from public, namehold_app, namehold_clockwork, namehold_retention;
