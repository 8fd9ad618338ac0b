-- oldest release: 0.1.0
-- What migration 0015 did for the tables of its time: the tenant is worked out once a statement, not once a row. A mailbox with a thousand
-- mails asked a thousand times who is asking, with each mail that came in.
do $$
declare
  p record;
begin
  for p in select tablename, policyname, qual from pg_policies where schemaname = 'public' and qual ~ '^is_tenant\([a-z_]+\)$' loop
    execute format('alter policy %I on %I to namehold_app using (%s = (select current_tenant()))', p.policyname, p.tablename,
                   substring(p.qual from '\((.*)\)'));
    execute format('create policy clockwork on %I to namehold_clockwork using (true) with check (true)', p.tablename);
  end loop;
end
$$;
