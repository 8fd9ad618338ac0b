-- The last step before the baseline: the differences between these migrations and the table files of an empty database.

-- Added by migration 0015 without a check of the rows of that time.
do $$
declare
  c record;
begin
  for c in select conrelid::regclass as owner, conname from pg_constraint
           where connamespace = 'public'::regnamespace and contype = 'f' and not convalidated loop
    execute format('alter table %s validate constraint %I', c.owner, c.conname);
  end loop;
end
$$;

-- From PostgreSQL 18 on, NOT NULL is a constraint with a name, which a renamed column or table keeps. Only one name is given in a table file,
-- because tld.catalogue_version and tld_catalogue.version would have the same.
do $$
declare
  c record;
begin
  for c in select k.conrelid::regclass as owner, k.conname, case when t.relname = 'tld' and a.attname = 'catalogue_version'
             then 'tld_catalogue_version_given' else t.relname || '_' || a.attname || '_not_null' end as wanted
           from pg_constraint k join pg_class t on t.oid = k.conrelid join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1]
           where k.connamespace = 'public'::regnamespace and k.contype = 'n' order by t.relname <> 'tld' loop
    if c.conname <> c.wanted then execute format('alter table %s rename constraint %I to %I', c.owner, c.conname, c.wanted); end if;
  end loop;
end
$$;

-- Written with BETWEEN, it had other parentheses after a restore from pg_dump.
alter table invoice_reminder_settings drop constraint invoice_reminder_settings_days_check, add constraint invoice_reminder_settings_days_check
  check (cardinality(days) >= 1 and cardinality(days) <= 10 and 1 <= all (days) and 365 >= all (days));
