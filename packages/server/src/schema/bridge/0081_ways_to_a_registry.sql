-- oldest release: 0.1.0
-- How a registry is reached, where the usual way does not do: whose key the server must have, which address of ours it knows us by, and
-- which ciphers it takes. The passphrase of our key and a password that is being changed are sealed with the other secrets.
alter table registry
  add column pins text[] not null default '{}',
  add column source_address text,
  add column ciphers text;
