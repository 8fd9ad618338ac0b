-- oldest release: 0.1.0
-- The credit left at which a registry reports a low balance, where its balance query states it; in the currency of the balance.
alter table registry add column balance_threshold bigint;
