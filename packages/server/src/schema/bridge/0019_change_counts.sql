-- How many records a change moved, so that nobody has to open a large journal entry to find out.
alter table zone_change add column added_count integer not null default 0, add column deleted_count integer not null default 0;

update zone_change set
  added_count = (select coalesce(sum(jsonb_array_length(s)), 0) from jsonb_path_query(added, '$[*].records') s),
  deleted_count = (select coalesce(sum(jsonb_array_length(s)), 0) from jsonb_path_query(deleted, '$[*].records') s);
