import { sql } from '@namehold/postgres';

/** TLDs with each registry to which their route leads or may be set. */
export const servedTlds = sql.raw(`(
  select tld, registry_id from registry_tld union all select tld, registry_id from tld_alternative where can_route)`);

/** What registries charge: the costs of the route belong to its registry, and each alternative has its own. */
export const costsByRegistry = sql.raw(`(
  select s.registry_id, c.tld, c.action, c.years, c.currency, c.amount, c.valid_from, c.valid_to
  from registry_cost c join registry_tld s on s.tld = c.tld
  union all select registry_id, tld, action, years, currency, amount, valid_from, valid_to from tld_alternative_cost)`);

/** The rules for a domain `d` with its TLD `t`: those of an alternative, if it is there. */
export const rulesOfDomain = sql.raw(`coalesce(
  (select a.rules from tld_alternative a where a.tld = d.tld and a.registry_id = d.registry_id), t.rules)`);

/** What the registry of a domain `d` charges. One that is no alternative charges the costs of the route. */
export const costsOfDomain = sql.raw(`(
  select action, years, currency, amount, valid_from, valid_to from registry_cost where tld = d.tld
    and not exists (select from tld_alternative a where a.tld = d.tld and a.registry_id = d.registry_id)
  union all select action, years, currency, amount, valid_from, valid_to from tld_alternative_cost
    where tld = d.tld and registry_id = d.registry_id)`);
