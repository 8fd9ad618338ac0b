-- oldest release: 0.1.0
-- A process that finds no free session says so on one of another's, which gives it up; until then nobody else takes it.
alter table registry_slot add column wanted_by text, add column wanted_until timestamptz;
