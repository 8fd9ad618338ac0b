-- oldest release: 0.1.0
-- A transfer whose auth code was refused has nothing at the registry: it waits for another code and keeps nobody from ordering the domain. As soon as
-- it is sent again (`transfer` says `ordered`) it is one of those of which only one may exist. The index keeps its predicate, so that look-ups by name use it.
drop index domain_name_once;
create unique index domain_name_once on domain (name, (case when state = 'pending' and (transfer ->> 'status') is not distinct from 'code_refused' then id else 0 end))
  where state not in ('removed', 'unpaid');
-- A customer has one order for a domain, waiting or not: another code goes with that one.
create unique index domain_pending_once on domain (customer_id, name) where state = 'pending';
