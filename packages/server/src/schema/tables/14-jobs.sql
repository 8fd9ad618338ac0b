-- oldest release: 0.2.0
-- Background jobs and alarms.

-- Jobs that one process at a time runs.
create table job_lease (
  name text primary key,
  owner text,
  leased_until timestamptz,
  done_at timestamptz
);

-- The state of each background job over all processes, in wall time.
create table job_run (
  name text primary key,
  every_ms integer not null,
  -- A process that knows this job is alive.
  reported_at timestamptz not null,
  -- Since when the oldest reporting process runs, or has had no success.
  known_since timestamptz not null,
  started_at timestamptz,
  took_ms integer,
  succeeded_at timestamptz,
  failed_at timestamptz,
  last_error text,
  next_at timestamptz
);

-- An alarm stays open until the cause is gone.
create table alarm (
  key text primary key,
  severity text not null check (severity in ('warning', 'critical')),
  sentence text not null,
  facts jsonb not null default '{}',
  raised_at timestamptz not null,
  seen_at timestamptz not null,
  cleared_at timestamptz,
  -- The alarm command of the operator was run. told_tries counts failures.
  told_at timestamptz,
  tell_tries integer not null default 0,
  acknowledged_at timestamptz,
  acknowledged_by text,
  acknowledged_why text,
  acknowledged_until timestamptz,
  constraint alarm_acknowledged_whole check (num_nulls(acknowledged_at, acknowledged_by, acknowledged_why, acknowledged_until) = any (array[0, 4]))
);
