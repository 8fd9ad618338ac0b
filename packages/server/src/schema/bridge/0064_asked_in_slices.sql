-- oldest release: 0.1.0
-- A contact that holds very many names was changed, and the clockwork has still to ask its holder about this one.
alter table domain add column verify_owed boolean not null default false;
create index domain_verify_owed on domain (id) where verify_owed;
grant update (verify_owed) on domain to namehold_app;
