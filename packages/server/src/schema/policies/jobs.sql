-- Background jobs and alarms are closed to requests.
select reset_access(
  'job_lease', 'job_run', 'alarm'
);

grant select, insert, update, delete on job_lease to namehold_clockwork;

grant select, insert, update, delete on job_run to namehold_clockwork;

grant select, insert, update, delete on alarm to namehold_clockwork;
