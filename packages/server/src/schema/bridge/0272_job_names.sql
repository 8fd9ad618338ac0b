-- oldest release: 0.1.0
-- Background jobs have conventional names. Their status, their lease and their alarm keep the same times under the new name.
create temporary table job_name on commit drop as
select * from (values
  ('lapse-approvals', 'expire-approvals'),
  ('lapse-orders', 'expire-orders'),
  ('find-lost-names', 'find-missing-domains'),
  ('fold-domain-totals', 'roll-up-totals'),
  ('fold-series', 'roll-up-series'),
  ('follow-expiry', 'process-expiry'),
  ('follow-mail-targets', 'confirm-mail-targets'),
  ('follow-mta-sts', 'update-mta-sts'),
  ('forget-old', 'purge-old-rows'),
  ('forget-requests', 'purge-sessions'),
  ('invoice-children', 'invoice-sub-resellers'),
  ('keep-privacy', 'sync-privacy'),
  ('late-refunds', 'record-late-refunds'),
  ('look-after-people', 'process-recovery'),
  ('look-again', 'recheck-orders'),
  ('look-at-hosts', 'check-brand-hosts'),
  ('make-owed-contacts', 'create-missing-contacts'),
  ('protect-new-names', 'protect-new-domains'),
  ('remind-of-data', 'send-data-reminders'),
  ('remind-of-invoices', 'send-invoice-reminders'),
  ('tell-alarms', 'deliver-alarms'),
  ('tell-confirmations', 'report-confirmations'),
  ('verify-books', 'run-reconciliation'),
  ('verify-holders', 'verify-registrants')
) as renamed (former, current);

update job_run set name = current from job_name where name = former;
update job_lease set name = current from job_name where name = former;
update alarm set
  key = 'job:' || current,
  sentence = replace(sentence, former, current),
  facts = jsonb_set(facts, '{job}', to_jsonb(current))
from job_name where key = 'job:' || former;
