-- oldest release: 0.1.0
-- A charge-back that arrives before its payment waits for it: its row is kept with the amount, and is matched when the payment arrives.
alter table payment
  -- Null: of an earlier release, which did not keep it.
  add column is_charge_back boolean,
  -- An operator decided that this charge-back needs no debit.
  add column accepted_at timestamptz;
update payment set is_charge_back = fate = 'charged_back' where expected_id is not null;
create index payment_charge_back_pending on payment (reseller_id, reference, id) where is_charge_back and expected_id is null and accepted_at is null;
-- From `charge_back_pending` to `charged_back`, once, or accepted.
grant update (expected_id, fate, reference, amount, currency, transaction_id, is_charge_back, accepted_at) on payment to namehold_clockwork;
