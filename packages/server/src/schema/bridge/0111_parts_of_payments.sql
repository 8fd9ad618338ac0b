-- oldest release: 0.1.0
-- Payments of which a part came: where a credit note makes the bills smaller, that part may be all that is owed.
create index expected_payment_part on expected_payment (id) where state = 'open' and received > 0;
