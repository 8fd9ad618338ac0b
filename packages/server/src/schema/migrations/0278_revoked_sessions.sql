-- oldest release: 0.2.0
-- When the session was ended because another may have used it. What it started ends with it.
-- Null: it is open, has expired, or its user signed out.
alter table person_session add column revoked_at timestamptz;
-- The session that made the invitation. Null: the command line, or an account's own sign-in.
alter table person_code add column made_in text;
-- The user who requested the removal of another user's factors, and the session.
alter table factor_reset
  add column made_by text,
  add column made_in text;
