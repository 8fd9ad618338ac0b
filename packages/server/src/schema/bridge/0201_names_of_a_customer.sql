-- oldest release: 0.1.0
-- What a customer may see of what belongs to its names: by the list of its names, which is made once a statement and only where a customer asks. The policies
-- looked for the name of each row, and that for its policies in turn: planned anew with every statement of everybody, for 9 ms where records are read.
create function customers_domains() returns setof bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  whose bigint := coalesce(current_customer(), acting_customer());
  of_reseller bigint := coalesce(customer_reseller(), current_tenant());
begin
  return query select d.id from domain d where d.customer_id = whose and d.reseller_id = of_reseller;
end
$$;
create function customers_zones() returns setof bigint
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  whose bigint := coalesce(current_customer(), acting_customer());
  of_reseller bigint := coalesce(customer_reseller(), current_tenant());
begin
  return query select z.id from domain d join zone z on z.domain_id = d.id and z.reseller_id = d.reseller_id
    where d.customer_id = whose and d.reseller_id = of_reseller;
end
$$;
revoke execute on function customers_domains, customers_zones from public;
grant execute on function customers_domains, customers_zones to namehold_app;

do $$
declare
  t text;
begin
  foreach t in array array['child_host', 'operation', 'auto_renewal', 'zone', 'forwarding', 'forward_target', 'forward_hour', 'mail_domain',
                           'mail_forward', 'mail_hour', 'certificate'] loop
    execute format('alter policy customer on %I using ((select current_customer()) is not null and domain_id in (select customers_domains()))', t);
  end loop;
  alter policy customer_changes on zone using ((select current_customer()) is not null and domain_id in (select customers_domains()));
  foreach t in array array['zone_publication', 'zone_published'] loop
    execute format('alter policy customer on %I using ((select current_customer()) is not null and zone_id in (select customers_zones()))', t);
  end loop;
  -- Of one reseller, zone and record: a foreign key says so.
  foreach t in array array['zone_rrset', 'zone_change', 'displaced_rrset'] loop
    execute format('alter policy customer on %I using ((select current_customer()) is not null and zone_id in (select customers_zones())
      and reseller_id = (select customer_reseller()))', t);
  end loop;
  foreach t in array array['child_host', 'zone', 'forwarding', 'forward_target', 'forward_hour', 'mail_domain', 'mail_forward', 'mail_hour',
                           'certificate', 'notice', 'confirmation'] loop
    execute format('alter policy customer_acts on %I using ((select acting_customer()) is null or domain_id in (select customers_domains()))', t);
  end loop;
  foreach t in array array['zone_rrset', 'zone_change', 'displaced_rrset', 'zone_publication', 'zone_published', 'zone_membership'] loop
    execute format('alter policy customer_acts on %I using ((select acting_customer()) is null or zone_id in (select customers_zones()))', t);
  end loop;
  alter policy customer_acts on operation using ((select acting_customer()) is null or domain_id in (select customers_domains())
    or exists (select from contact c where c.id = operation.contact_id));
end
$$;
