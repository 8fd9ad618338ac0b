-- A new name whose theft protection could not be set: when it is tried again. Null: nothing is owed.
alter table domain add column protect_at timestamptz;
create index domain_protect on domain (protect_at) where protect_at is not null;
