-- oldest release: 0.1.0
-- Each deposit and each note stands in the audit log, and `verify` holds one against the other. The opening balance of the demo account did not.
create index audit_transaction on audit (object_id) where object_type = 'transaction';
insert into audit (reseller_id, at, key_id, address, request_id, action, object_type, object_id, before, after)
select t.seller_id, now(), null, 'migration', 'migration', 'reseller.fund', 'transaction', t.id::text, null,
  jsonb_build_object('id', t.id::text, 'amount', t.amount::text, 'currency', t.currency, 'direction', t.direction)
from ledger_transaction t
where t.type in ('deposit', 'note') and t.seller_id is not null
  and not exists (select from audit a where a.object_type = 'transaction' and a.object_id = t.id::text)
  and not exists (select from audit_head h where h.reseller_id = t.seller_id and h.cut_number > 0);
