import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import type { Change } from '../../../core/zones/change/change.sql.ts';
import { zoneHistory } from '../../../core/zones/change/history.ts';
import { countRecords } from '../../../core/zones/zone.ts';
import { listAnswer, pageOf, paging } from '../../page.ts';
import { route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { domain_id } from './zone-fields.ts';
import { rrsetExample, rrsetView, showRecords } from './zone-view.ts';

const changeRow = z
  .object({
    serial: z.number(),
    previous_serial: z.number().nullable().describe('Null where the zone began.'),
    kind: z.enum(['create', 'change', 'replace', 'import', 'rollback', 'template']),
    changed_at: z.string(),
    actor: z.object({
      key_id: z.string().nullable().describe('API key; null: the service itself.'),
      request_id: z.string().nullable(),
    }),
    comment: z.string().nullable(),
    soa: z.string().describe('The SOA record after the change.'),
    added_count: z.number(),
    deleted_count: z.number(),
    added: z.array(rrsetView),
    deleted: z.array(rrsetView),
    is_shortened: z.boolean().describe('True where the change has more records than are shown.'),
  })
  .meta({ id: 'ZoneHistoryEntry', description: 'A change of a zone.' });

function show(change: Change): z.output<typeof changeRow> {
  const [added, deleted] = [showRecords(change.added), showRecords(change.deleted)];
  const isWhole = countRecords(added) === change.added_count && countRecords(deleted) === change.deleted_count;
  return {
    serial: change.serial_to,
    previous_serial: change.serial_from,
    kind: change.kind,
    changed_at: instantText(change.at),
    actor: { key_id: change.key_id, request_id: change.request_id },
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
  area: 'dns',
  style: 'own',
  isList: true,
  summary: 'Read what changed in a zone',
  description:
    'Every change, newest first: serial, who, when, and the records that came and went. POST .../zone/rollback goes back to any of these serials. The newest 100 changes are kept whatever their age, older ones for 90 days.',
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
        actor: { key_id: 'key_0192', request_id: 'req_0192' },
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
  async answer(house, caller, input) {
    const domain = await requireDomain(house, caller, input.domain_id);
    const { rows, total } = await zoneHistory(house, domain, pageOf(input));
    return listAnswer(rows.map(show), total);
  },
});
