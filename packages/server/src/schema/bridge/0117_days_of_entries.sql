-- oldest release: 0.1.0
-- The day of an entry as the bank wrote it: some banks count their entries anew in each file, and a second one of the same amount is another entry.
alter table payment add column entry_date text;
