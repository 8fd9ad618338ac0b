-- oldest release: 0.1.0
-- A comparison of the books that is ended in the middle is gone on with where it was (decision 0086).
alter table books_run
  -- What is compared.
  add column books text[] not null default '{entries,operations,domains,registry,invoices}',
  -- How far it came: the walk, the place in it, and what was found and left out until then.
  add column place jsonb,
  -- Who is at it, kept by a heartbeat; a new one takes it over when nobody is.
  add column worker text,
  add column leased_until timestamptz,
  add column tries integer not null default 0;
