-- oldest release: 0.1.0
-- An operator has taken note of an alarm and said until when it may rest (decision 0077). Raised anew, or changed, it counts as new.
alter table alarm
  add column acknowledged_at timestamptz,
  add column acknowledged_by text,
  add column acknowledged_why text,
  add column acknowledged_until timestamptz,
  add constraint alarm_acknowledged_whole check (num_nulls(acknowledged_at, acknowledged_by, acknowledged_why, acknowledged_until) in (0, 4));
