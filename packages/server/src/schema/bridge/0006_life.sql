-- What the clockwork needs to follow names through their lives.

-- Work that one process at a time does, or that is done once in a while over all processes.
create table job_lease (
  name text primary key,
  owner text,
  leased_until timestamptz,
  done_at timestamptz
);

-- What has been said about the end of a term: each notice once a term, however often the job runs.
create table expiry_mark (
  domain_id bigint not null references domain (id),
  reseller_id bigint not null references reseller (id),
  end_date timestamptz not null,
  mark text not null,
  at timestamptz not null,
  primary key (domain_id, end_date, mark)
);
alter table expiry_mark enable row level security;
create policy own on expiry_mark using (is_tenant(reseller_id));

create index domain_end on domain (end_date) where state = 'live';
create index domain_leaving on domain (redemption_ends_at) where state in ('redemption', 'pending_restore', 'pending_delete');
create index domain_synced on domain (synced_at nulls first) where state <> 'removed';

grant select, insert, update, delete on job_lease, expiry_mark to namehold_app;
