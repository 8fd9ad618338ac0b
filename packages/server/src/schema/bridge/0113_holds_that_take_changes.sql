-- oldest release: 0.1.0
-- A suspension may leave the name open to changes (decision 0055): a seller's own hold, which must not stand in the way of its cure.
alter table domain add column suspended_open boolean not null default false;
