-- Lists of names go in the order of octets, whatever the collation of the database.
create index domain_sponsor_name on domain (sponsor, (name collate "C"));
create index statement_client_domain on statement (client_id, (domain collate "C")) where domain is not null;
