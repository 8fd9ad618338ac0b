-- A customer's own data are its first contact. Those who were there before and have none get theirs from the clockwork, because
-- the Latin form and the fingerprint of a contact are made by the service.
create table contact_owed (
  customer_id bigint primary key references customer (id),
  reseller_id bigint not null references reseller (id)
);
alter table contact_owed enable row level security;
create policy own on contact_owed using (is_tenant(reseller_id));
insert into contact_owed (customer_id, reseller_id)
select c.id, c.reseller_id from customer c
where c.deleted_at is null and not exists (select from contact k where k.customer_id = c.id and k.deleted_at is null);
grant select, insert, delete on contact_owed to namehold_app;
