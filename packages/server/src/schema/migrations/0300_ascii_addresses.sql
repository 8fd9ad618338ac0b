-- oldest release: 0.2.0
-- Addresses are stored with their domain in ASCII (core/reference/email.ts), because each spelling of a domain is the same mailbox.
-- An address stays as it is if another one of the same owner already has the form. The service reports it at each start.

-- RFC 3492, section 6.3.
create function pg_temp.a_label(label text) returns text language plpgsql as $$
declare
  digits constant text := 'abcdefghijklmnopqrstuvwxyz0123456789';
  points integer[] := array(select ascii(substr(label, i, 1)) from generate_series(1, length(label)) i order by i);
  made text := array_to_string(array(select chr(p) from unnest(points) with ordinality u(p, i) where p < 128 order by i), '');
  basic integer := length(made);
  done integer := basic;
  point integer := 128;
  delta integer := 0;
  bias integer := 72;
  next integer;
  rest integer;
  place integer;
  threshold integer;
begin
  if octet_length(label) = length(label) then
    return label;
  end if;
  if basic > 0 then
    made := made || '-';
  end if;
  while done < cardinality(points) loop
    select min(p) into next from unnest(points) p where p >= point;
    delta := delta + (next - point) * (done + 1);
    point := next;
    for i in 1 .. cardinality(points) loop
      if points[i] < point then
        delta := delta + 1;
      elsif points[i] = point then
        rest := delta;
        place := 36;
        loop
          threshold := least(greatest(place - bias, 1), 26);
          exit when rest < threshold;
          made := made || substr(digits, threshold + (rest - threshold) % (36 - threshold) + 1, 1);
          rest := (rest - threshold) / (36 - threshold);
          place := place + 36;
        end loop;
        made := made || substr(digits, rest + 1, 1);
        delta := case when done = basic then delta / 700 else delta / 2 end;
        delta := delta + delta / (done + 1);
        place := 0;
        while delta > 455 loop
          delta := delta / 35;
          place := place + 36;
        end loop;
        bias := place + 36 * delta / (delta + 38);
        delta := 0;
        done := done + 1;
      end if;
    end loop;
    delta := delta + 1;
    point := point + 1;
  end loop;
  return 'xn--' || made;
end
$$;

create function pg_temp.ascii_address(address text) returns text language sql as $$
  select left(address, length(address) - length(d.given)) || (
    select string_agg(pg_temp.a_label(l.label), '.' order by l.place)
    from unnest(string_to_array(translate(normalize(lower(normalize(d.given, nfkc)), nfc), '。', '.'), '.')) with ordinality l(label, place))
  from (select split_part(address, '@', -1) as given) d
$$;

-- For the report at the start. Its condition is that of core/reference/address.sql.ts.
create index customer_other_form on customer (id) where deleted_at is null and split_part(email, '@', -1) ~ '[^\x01-\x7f]';

do $$
declare
  found record;
begin
  for found in select id, email from customer where split_part(email, '@', -1) ~ '[^\x01-\x7f]' order by id loop
    begin
      update customer set email = pg_temp.ascii_address(found.email) where id = found.id;
    exception when unique_violation then null;
    end;
  end loop;
  for found in select id, email from person where split_part(email, '@', -1) ~ '[^\x01-\x7f]' order by created_at, id loop
    begin
      update person set email = pg_temp.ascii_address(found.email) where id = found.id;
    exception when unique_violation then null;
    end;
  end loop;
  for found in select id, email, email_since from reseller where split_part(email, '@', -1) ~ '[^\x01-\x7f]' order by id loop
    begin
      update reseller set email = pg_temp.ascii_address(found.email) where id = found.id;
      -- A trigger has set it, but the mailbox is the same.
      update reseller set email_since = found.email_since where id = found.id;
    exception when unique_violation then null;
    end;
  end loop;
end
$$;

update contact set email = pg_temp.ascii_address(email) where split_part(email, '@', -1) ~ '[^\x01-\x7f]';
update person_code set email = pg_temp.ascii_address(email) where split_part(email, '@', -1) ~ '[^\x01-\x7f]';
update confirmation set address_key = pg_temp.ascii_address(address_key) where split_part(address_key, '@', -1) ~ '[^\x01-\x7f]';
insert into mail_address (reseller_id, address_key, verified_at, bounced_at, bounce_reason)
  select reseller_id, pg_temp.ascii_address(address_key), verified_at, bounced_at, bounce_reason
  from mail_address where split_part(address_key, '@', -1) ~ '[^\x01-\x7f]'
  on conflict (reseller_id, address_key) do nothing;
delete from mail_address where split_part(address_key, '@', -1) ~ '[^\x01-\x7f]';
drop function pg_temp.ascii_address, pg_temp.a_label;
