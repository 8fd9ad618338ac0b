-- oldest release: 0.1.0
-- How each job of the clockwork stands, over all processes. Wall time.
create table job_run (
  name text primary key,
  every_ms integer not null,
  -- Some process that knows this job lives.
  reported_at timestamptz not null,
  -- Since when the oldest process that reports has run, or had no success to tell of.
  known_since timestamptz not null,
  started_at timestamptz,
  took_ms integer,
  succeeded_at timestamptz,
  failed_at timestamptz,
  last_error text,
  next_at timestamptz
);
