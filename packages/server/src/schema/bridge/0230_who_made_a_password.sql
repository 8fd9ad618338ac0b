-- oldest release: 0.1.0
-- Which API key, or which user of the account, made a password for another: what it made ends with it. Null: nobody of the account did.
alter table customer
  -- Of the temporary password that is good now.
  add column temp_password_maker text,
  -- The key that chose the password, or made the temporary one that it was chosen with.
  add column password_maker text;
create index customer_password_maker on customer (password_maker) where password_maker is not null;
-- Of the password that the session was opened with.
alter table person_session add column maker text;
-- An invitation and a temporary password of a child account: of a key or a user of the account itself or of its parent.
alter table reseller add column temp_password_maker text;
alter table invitation add column maker text;

-- Whether a key was revoked, or a user is no member of the account any more.
create function maker_has_ended(in_reseller bigint, in_maker text) returns boolean
language sql stable security definer set search_path = pg_catalog, public, pg_temp as $$
  select case
    when in_maker is null then false
    when starts_with(in_maker, 'key_') then not exists (select from api_key k where k.id = in_maker and k.revoked_at is null)
    else not exists (select from membership m where m.person_id = in_maker and m.reseller_id = in_reseller and m.suspended_at is null)
  end
$$;
revoke all on function maker_has_ended from public;
grant execute on function maker_has_ended to namehold_clockwork;
