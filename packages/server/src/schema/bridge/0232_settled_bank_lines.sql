-- oldest release: 0.1.0
-- A bank line that could not be credited as it was imported (unreadable amount, other currency, reused id), and the payment that put it right later:
-- a corrected line or a confirmation by hand. Reconciliation reports only lines without one.
alter table statement_line add column settled_by text references payment (id);
create index statement_line_settled_by on statement_line (settled_by) where settled_by is not null;
-- A confirmation by hand takes the event id of the provider's notice that arrives after it.
grant update (event_id) on payment to namehold_clockwork;
