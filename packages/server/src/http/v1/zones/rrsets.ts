import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { zoneLimits } from '../../../core/zones/limits.ts';
import { readRRsets } from '../../../core/zones/rrsets/read-rrsets.ts';
import { integer, text } from '../../field.ts';
import { Answer, route } from '../../route.ts';
import { domain_id, ownerField, typeField } from './zone-fields.ts';
import { etag, rrsetExample, rrsetView, showRRset } from './zone-view.ts';

export const readRRsetsRoute = route({
  method: 'GET',
  path: '/domains/{domain_id}/zone/rrsets',
  customer: 'read',
  area: 'dns',
  style: 'own',
  hasETag: true,
  summary: 'Read the RRsets of a zone',
  description:
    'All records, by name and type. `ETag` is the serial. Send it as If-Match with a change, which is then refused if the zone has changed since.',
  input: z.object({
    domain_id,
    name: ownerField.optional(),
    type: typeField.optional(),
    after: text({ max: 1_100, about: 'next_after of the previous page.' }).optional(),
    limit: integer({ min: 1, max: zoneLimits.rrsetsPerPage, about: 'RRsets per page.', example: 100 }).optional(),
  }),
  output: z.object({
    serial: z.number(),
    record_count: z.number().describe('In the whole zone, without the SOA.'),
    rrsets: z.array(rrsetView),
    next_after: z.string().nullable().describe('Null on the last page.'),
  }),
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001', type: 'A' },
    output: { serial: 1_790_000_001, record_count: 4, rrsets: [rrsetExample], next_after: null },
  },
  async answer(ctx, caller, { domain_id: id, ...query }) {
    const { zone, rrsets, next } = await readRRsets(ctx, await requireDomain(ctx, caller, id), query);
    const body = {
      serial: zone.serial,
      record_count: zone.record_count,
      rrsets: rrsets.map(showRRset),
      next_after: next ?? null,
    };
    return new Answer(body, { headers: etag(zone.serial) });
  },
});
