-- oldest release: 0.1.0
-- Senders remember a policy for a day after it was last enforced, whatever it was then (decision 0071). By the clock of the business; null: never enforced.
alter table mail_domain add column sts_enforced_until timestamptz;
