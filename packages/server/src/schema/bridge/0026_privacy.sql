-- Privacy protection as the registry knows it: a contact has a handle of its own for each way in which it is shown.

alter table registry_contact add column shown_as text not null default 'plain' check (shown_as in ('plain', 'disclose', 'proxy'));
alter table registry_contact drop constraint registry_contact_pkey;
alter table registry_contact add primary key (contact_id, registry_id, shown_as);

-- Whether the registry has the private handles of a name. What was bought before is sent by the clockwork.
alter table domain add column privacy_sent boolean not null default false;
create index domain_privacy on domain (privacy_until) where privacy_sent or privacy_enabled;
