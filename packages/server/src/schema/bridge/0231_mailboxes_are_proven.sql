-- oldest release: 0.1.0
-- A code that was mailed to its address proves the mailbox: no user exists before that. `claims`: it makes the first owner of an account.
alter table person_code add column is_mailed boolean not null default false, add column claims boolean not null default false;
