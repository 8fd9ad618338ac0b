-- oldest release: 0.1.0
-- Mail forwarding keeps records in zones too (decision 0059).
alter table zone_rrset drop constraint zone_rrset_managed_by_check;
alter table zone_rrset add constraint zone_rrset_managed_by_check check (managed_by in ('url_forwarding', 'acme', 'mail_forwarding'));
alter table displaced_rrset drop constraint displaced_rrset_managed_by_check;
alter table displaced_rrset add constraint displaced_rrset_managed_by_check check (managed_by in ('url_forwarding', 'mail_forwarding'));
