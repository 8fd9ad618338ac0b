-- oldest release: 0.1.0
-- Whether the greeting of the last login offered RFC 9154 (secure-authinfo-transfer); null: nobody has logged in yet.
alter table registry add column offers_secure_auth_info boolean;
