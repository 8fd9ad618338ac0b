import { z } from 'zod';
import type { JournalRecords, StoredRRset } from '../../../core/model/zone.ts';
import type { ZoneChanged } from '../../../core/model/zone-task.ts';
import { zoneLimits } from '../../../core/zones/limits.ts';

export const rrsetView = z
  .object({
    name: z.string().describe('Full name with its final dot.'),
    type: z.string(),
    ttl: z.number(),
    records: z.array(z.string()).describe('In canonical form, as in a zone file.'),
    managed_by: z
      .enum(['url_forwarding', 'mail_forwarding', 'mta_sts', 'acme'])
      .optional()
      .describe('A service keeps this record. Change the settings of that service instead.'),
  })
  .meta({ id: 'RRset', description: 'Records of one name and type.' });
type RRsetView = z.output<typeof rrsetView>;

export function showRRset({ name, type, ttl, records, managedBy }: StoredRRset): RRsetView {
  const mark = managedBy ? { managed_by: managedBy } : {};
  return { name, type, ttl, records: records.map((record) => record.text), ...mark };
}

export const rrsetExample: RRsetView = { name: 'www.example-shop.com.', type: 'A', ttl: 3_600, records: ['192.0.2.1'] };

/** As many records as fit, whole RRsets first. The journal has the rest. */
export function showRecords(sets: readonly JournalRecords[], limit: number = zoneLimits.recordsInHistory): RRsetView[] {
  const shown: RRsetView[] = [];
  let left = limit;
  for (const { name, type, ttl, records, managed_by } of sets) {
    if (left <= 0) break;
    shown.push({ name, type, ttl, records: records.slice(0, left), ...(managed_by ? { managed_by } : {}) });
    left -= records.length;
  }
  return shown;
}

const warningView = z
  .object({ name: z.string(), type: z.string(), reason: z.string() })
  .meta({ id: 'ZoneWarning', description: 'A warning: allowed, but possibly unintended.' });

export const changeView = z
  .object({
    serial: z.number().describe('Current serial of the zone. Unchanged in a dry run, and without differences.'),
    previous_serial: z.number(),
    is_changed: z.boolean().describe('False: the zone already had this content, and got no new serial.'),
    dry_run: z.boolean(),
    added: z.array(rrsetView).describe('Records added, or to be added.'),
    deleted: z.array(rrsetView).describe('Records deleted, or to be deleted.'),
    warnings: z.array(warningView).describe('Allowed, but possibly unintended.'),
  })
  .meta({ id: 'ZoneChange', description: 'The result of a change, or a preview.' });
type ChangeView = z.output<typeof changeView>;

export function showChange(change: ZoneChanged): ChangeView {
  return {
    serial: change.zone.serial,
    previous_serial: change.previousSerial,
    is_changed: change.isChanged,
    dry_run: change.isDryRun,
    added: showRecords(change.diff.added),
    deleted: showRecords(change.diff.deleted),
    warnings: change.warnings.map(({ name, type, reason }) => ({ name, type, reason })),
  };
}

export const changeExample: ChangeView = {
  serial: 1_790_000_001,
  previous_serial: 1_790_000_000,
  is_changed: true,
  dry_run: false,
  added: [rrsetExample],
  deleted: [],
  warnings: [],
};

export const etag = (serial: number): Record<string, string> => ({ ETag: `"${serial}"` });

export const zoneFileExample = [
  '$ORIGIN example-shop.com.',
  '$TTL 3600',
  '@\tIN\tSOA\tns1.namehold-dns.net. hostmaster.example-shop.com. 1790000001 86400 7200 1209600 3600',
  '\t86400\tIN\tNS\tns1.namehold-dns.net.',
  'www\tIN\tA\t192.0.2.1',
  '',
].join('\n');
