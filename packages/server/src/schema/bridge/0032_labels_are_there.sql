-- oldest release: 0.1.0
-- The label of a zone in the catalog is made from its id and was never null; now the database says so, as the code always did.
alter table zone alter column catalog_label set not null;
