-- oldest release: 0.2.0
-- Who changed the email address with which a customer signs in, and the address before. Null: the address is the first one, or a
-- principal that could grant every access changed or confirmed it.
alter table customer
  add column email_by text,
  add column email_before text;
