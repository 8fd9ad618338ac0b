-- oldest release: 0.1.0
-- Since when a registry has not told how an order stands. Its age is another matter: a transfer waits for days, and nothing is wrong.
alter table operation add column silent_since timestamptz;

-- A registry may tell our balance with every order: readings that nobody compares any more are taken away.
grant delete on registry_balance to namehold_clockwork;
