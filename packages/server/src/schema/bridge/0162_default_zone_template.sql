-- oldest release: 0.1.0
-- The template with which an account's new zones begin (decision 0082). No reference to the template: it may be built in, or another account's to delete.
create table default_zone_template (
  reseller_id bigint primary key references reseller (id),
  template_id text not null,
  -- [{name, value}]: what the template asks for.
  given jsonb not null,
  chosen_at timestamptz not null
);
alter table default_zone_template enable row level security;
create policy own on default_zone_template using (is_tenant(reseller_id));
grant select, insert, update, delete on default_zone_template to namehold_app;
-- Nothing of it is a customer's that acts (decision 0073).
create policy customer_acts on default_zone_template as restrictive to namehold_app using ((select acting_customer()) is null);

-- With the template's content as it is now, which is null for one that is built in and for one that is there no more. Asked along with the claim of a
-- name: an order of an account without a default asks nothing more of the database.
create function default_zone_template_of(in_reseller bigint) returns jsonb
language plpgsql stable parallel restricted security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  chosen default_zone_template;
  content jsonb;
begin
  if not is_tenant(in_reseller) or acting_customer() is not null then return null; end if;
  select * into chosen from default_zone_template d where d.reseller_id = in_reseller;
  if not found then return null; end if;
  select jsonb_build_object('name', t.name, 'description', t.description, 'variables', t.variables, 'rrsets', t.rrsets) into content from (
    select o.name, o.description, o.variables, o.rrsets from zone_template o where o.id = chosen.template_id and o.reseller_id = in_reseller
    union all
    select a.name, a.description, a.variables, a.rrsets from zone_templates_above(in_reseller, chosen.template_id) a) t;
  return jsonb_build_object('template_id', chosen.template_id, 'given', chosen.given, 'content', content);
end
$$;
revoke execute on function default_zone_template_of from public;
grant execute on function default_zone_template_of to namehold_app, namehold_clockwork;
