import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { countRecords } from '../../../core/model/zone.ts';
import type { Change } from '../../../core/zones/change/change.sql.ts';
import { zoneHistory } from '../../../core/zones/change/history.ts';
import { exportOldFile } from '../../../core/zones/file/export-old-file.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { Answer, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { domain_id, serial } from './zone-fields.ts';
import { etag, rrsetExample, rrsetView, showRecords, zoneFileExample } from './zone-view.ts';

const changeRow = z
  .object({
    serial: z.number(),
    previous_serial: z.number().nullable().describe('Null for the first version of the zone.'),
    kind: z.enum(['create', 'change', 'replace', 'import', 'rollback', 'template']),
    changed_at: z.string(),
    actor: z.object({
      kind: z.enum(['person', 'key', 'service']),
      id: z.string().nullable().describe('Source address of the user or key.'),
      name: z.string().nullable().describe('Name of the user at that time.'),
      key_id: z.string().nullable().describe('API key. Null: a user, or the service itself.'),
      request_id: z.string().nullable(),
    }),
    comment: z.string().nullable(),
    soa: z.string().describe('The SOA record after the change.'),
    added_count: z.number(),
    deleted_count: z.number(),
    added: z.array(rrsetView),
    deleted: z.array(rrsetView),
    is_shortened: z.boolean().describe('True if the change has more records than are shown.'),
  })
  .meta({ id: 'ZoneHistoryEntry', description: 'A change of a zone.' });

function actorOf({ key_id, person_id, person_name, request_id }: Change): z.output<typeof changeRow>['actor'] {
  const kind = person_id ? 'person' : key_id ? 'key' : 'service';
  return { kind, id: person_id ?? key_id, name: person_name, key_id, request_id };
}

function show(change: Change): z.output<typeof changeRow> {
  const [added, deleted] = [showRecords(change.added), showRecords(change.deleted)];
  const isWhole = countRecords(added) === change.added_count && countRecords(deleted) === change.deleted_count;
  return {
    serial: change.serial_to,
    previous_serial: change.serial_from,
    kind: change.kind,
    changed_at: instantText(change.at),
    actor: actorOf(change),
    comment: change.comment,
    soa: change.soa_to,
    added_count: change.added_count,
    deleted_count: change.deleted_count,
    added,
    deleted,
    is_shortened: !isWhole,
  };
}

export const zoneHistoryRoute = route({
  method: 'GET',
  path: '/domains/{domain_id}/zone/history',
  customer: 'read',
  area: 'dns',
  style: 'own',
  isList: true,
  summary: 'Read the history of a zone',
  description:
    'Every change, newest first: serial, author, time, and the records added and deleted. POST .../zone/rollback restores any of these serials. The newest 100 changes are always kept, older ones for 90 days.',
  input: z.object({ domain_id, ...paging }),
  output: z.array(changeRow),
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001', limit: 10 },
    output: [
      {
        serial: 1_790_000_001,
        previous_serial: 1_790_000_000,
        kind: 'change',
        changed_at: '2026-11-15T09:00:00Z',
        actor: { kind: 'key', id: 'key_0192', name: null, key_id: 'key_0192', request_id: 'req_0192' },
        comment: null,
        soa: 'ns1.namehold-dns.net. hostmaster.example-shop.com. 1790000001 86400 7200 1209600 3600',
        added_count: 1,
        deleted_count: 0,
        added: [rrsetExample],
        deleted: [],
        is_shortened: false,
      },
    ],
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const { rows, total } = await zoneHistory(ctx, domain, pageOf(input));
    return listAnswer(rows.map(show), total);
  },
});

export const oldZoneRoute = route({
  method: 'GET',
  path: '/domains/{domain_id}/zone/history/{serial}',
  customer: 'read',
  area: 'dns',
  style: 'own',
  hasETag: true,
  cost: 20,
  summary: 'Read an earlier version of a zone',
  description: 'The whole zone at a serial of its history, as a zone file.',
  input: z.object({ domain_id, serial }),
  output: z.string(),
  answerType: 'text/dns',
  errors: ['not_found'],
  example: {
    first: 'enter a serial of `GET .../zone/history`',
    input: { domain_id: '5001', serial: 1_790_000_001 },
    output: zoneFileExample,
  },
  async answer(ctx, caller, input) {
    const domain = await requireDomain(ctx, caller, input.domain_id);
    const { file } = await exportOldFile(ctx, caller, domain, input.serial);
    return new Answer(Buffer.from(file.buffer, file.byteOffset, file.length), { headers: etag(input.serial) });
  },
});
