-- oldest release: 0.1.0
-- Whether a holder must be asked, and that its name waits for it: one question (decision 0078). A no to "is the address confirmed" holds until the
-- commit: whoever says yes meanwhile waits for the lock, and then finds this name among those that waited. Each step sees what was committed before it.
create function holder_ask(in_reseller bigint, in_contact bigint, in_domain bigint, in_since timestamptz, in_by timestamptz, in_cause text, in_lately timestamptz)
returns table (name text, email text, country_code text, is_verified boolean, links integer)
language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  of_address text;
begin
  select c.name, c.email, c.country_code, lower(c.email) into name, email, country_code, of_address
  from contact c where c.id = in_contact and c.reseller_id = in_reseller;
  if not found then return; end if;
  links := 0;
  is_verified := exists (
    select from mail_address a where a.reseller_id = in_reseller and a.address_key = of_address and a.verified_at is not null);
  if not is_verified then
    perform pg_advisory_xact_lock(hashtextextended(in_reseller || ' ' || of_address, 1550));
    is_verified := exists (
      select from mail_address a where a.reseller_id = in_reseller and a.address_key = of_address and a.verified_at is not null);
    select count(*)::integer into links from confirmation c
    where c.reseller_id = in_reseller and c.address_key = of_address and c.created_at > in_lately and c.operation_id is null and c.mail_target_id is null;
  end if;
  update domain d set verify_since = in_since, verify_by = case when is_verified then null else in_by end, verify_cause = in_cause, verify_reminded_at = null,
    verify_look_at = null, verify_tell_at = case when is_verified then in_since end
  where d.id = in_domain;
  return next;
end
$$;
revoke execute on function holder_ask from public;
grant execute on function holder_ask to namehold_app, namehold_clockwork;
