-- oldest release: 0.1.0
-- A change of the holder is confirmed by both sides (decision 0039): the same links as for an address, each for one side of one change.
alter table confirmation
  add column operation_id text references operation (id) on delete cascade,
  add column side text check (side in ('prior', 'new')),
  add constraint confirmation_of_side check ((operation_id is null) = (side is null));
create index confirmation_operation on confirmation (operation_id) where operation_id is not null;
