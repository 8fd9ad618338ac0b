-- Keys and passwords are closed to requests.
select reset_access(
  'schema_migration', 'tenant_key', 'login_password', 'vault_secret'
);

grant select on schema_migration to namehold_clockwork;

grant select on tenant_key to namehold_clockwork;

grant select, insert, update, delete on vault_secret to namehold_clockwork;
