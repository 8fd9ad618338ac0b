-- oldest release: 0.1.0
-- Who makes a temporary password for its own account sees it, so the owner who comes by it is of the same hand (decision 0068); null: the parent made it.
alter table reseller add column temp_password_hand text;
