-- oldest release: 0.1.0
-- A registry can be another reseller platform (decision 0050). It names contacts by ids of its own, and has a log that is read by a
-- cursor instead of a queue that forgets what was acknowledged.
alter table registry_contact add column remote_id text;
alter table registry add column news_cursor text;
