-- The fence is a random token: a number that a crash took back would be handed out a second time.
alter table operation alter column fence drop default;
alter table operation alter column fence type text using fence::text;
alter table operation alter column fence set default '0';
alter table registry_command alter column fence type text using fence::text;

-- What a question brought to light about a command, where no answer told it; `unsent`: no byte of it left.
alter table registry_command add column found text check (found in ('done', 'pending', 'never', 'refused', 'unsent'));
update registry_command set found = case when result_code = 1001 then 'pending' when result_code is not null then 'done' else 'never' end
where state = 'resolved';

alter table operation
  -- By what an operation that is done is known to be done.
  add column proof text check (proof in ('answered', 'found', 'poll', 'auto_renewal', 'nothing_sent', 'operator')),
  -- Why a person must decide, with the facts and the open choices; and what the person decided.
  add column attention jsonb,
  add column decision jsonb,
  -- Attempts that met trouble of the registry; the wait before the next one grows with these alone.
  add column setbacks integer not null default 0;

update operation o set proof = case
  when exists (select from registry_command c where c.operation_id = o.id and c.state = 'answered' and c.result_code between 1000 and 1999) then 'answered'
  when exists (select from registry_command c where c.operation_id = o.id and c.found = 'done') then 'found'
  when o.kind = 'renew' then 'auto_renewal'
  else 'nothing_sent' end
where state = 'done';
