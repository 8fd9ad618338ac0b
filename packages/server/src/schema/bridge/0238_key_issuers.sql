-- oldest release: 0.1.0
-- The key or user that created the key or rotated its secret last, and so has seen the secret. Null: the service or its command line.
alter table api_key add column issued_by text;
update api_key set issued_by = hand where hand <> id and (starts_with(hand, 'key_') or starts_with(hand, 'per_'));
create index api_key_issued_by on api_key (reseller_id, issued_by) where issued_by is not null;
