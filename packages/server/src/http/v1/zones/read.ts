import { z } from 'zod';
import { requireDomain } from '../../../core/domains/find.ts';
import { overallState } from '../../../core/zones/publish/publication.ts';
import { queryNameservers } from '../../../core/zones/publish/query-nameservers.ts';
import { readZone, type ZoneOverview } from '../../../core/zones/read-zone.ts';
import { Answer, route } from '../../route.ts';
import { instantOrNull, instantText } from '../../wire.ts';
import { domain_id } from './zone-fields.ts';
import { etag } from './zone-view.ts';

const state = z.enum(['published', 'behind', 'unreachable', 'unknown']);

const overview = z
  .object({
    domain_id: z.string(),
    name: z.string(),
    serial: z.number(),
    record_count: z.number().describe('Without the SOA.'),
    is_delegated: z.boolean().describe('Whether the domain is delegated to a nameserver of this zone.'),
    soa: z.object({
      mname: z.string(),
      rname: z.string(),
      refresh: z.number(),
      retry: z.number(),
      expire: z.number(),
      minimum: z.number(),
    }),
    publication: z.object({
      state: state.describe('published: every nameserver serves the current serial; unknown: none was queried yet.'),
      nameservers: z.array(
        z.object({
          name: z.string(),
          serial: z.number().nullable().describe('Serial in its last answer.'),
          state,
          published_at: z.string().nullable(),
          checked_at: z.string().nullable(),
          lag_ms: z
            .number()
            .nullable()
            .describe('Time from the change to its answer. While it is behind: the time so far.'),
          error: z.string().nullable(),
        }),
      ),
    }),
    created_at: z.string(),
    changed_at: z.string(),
  })
  .meta({ id: 'Zone', description: 'A zone and its publication status.' });

function show({ zone, nameservers, isDelegated }: ZoneOverview): z.output<typeof overview> {
  const { mname, rname, refresh, retry, expire, minimum } = zone;
  return {
    domain_id: zone.domain_id,
    name: zone.name,
    serial: zone.serial,
    record_count: zone.record_count,
    is_delegated: isDelegated,
    soa: { mname, rname, refresh, retry, expire, minimum },
    publication: {
      state: overallState(nameservers),
      nameservers: nameservers.map((one) => ({
        name: one.name,
        serial: one.serial,
        state: one.state,
        published_at: instantOrNull(one.publishedAt),
        checked_at: instantOrNull(one.checkedAt),
        lag_ms: one.lagMs,
        error: one.error,
      })),
    },
    created_at: instantText(zone.created_at),
    changed_at: instantText(zone.changed_at),
  };
}

const overviewExample: z.output<typeof overview> = {
  domain_id: '5001',
  name: 'example-shop.com.',
  serial: 1_790_000_001,
  record_count: 4,
  is_delegated: true,
  soa: {
    mname: 'ns1.namehold-dns.net.',
    rname: 'hostmaster.example-shop.com.',
    refresh: 86_400,
    retry: 7_200,
    expire: 1_209_600,
    minimum: 3_600,
  },
  publication: {
    state: 'published',
    nameservers: [
      {
        name: 'knot1',
        serial: 1_790_000_001,
        state: 'published',
        published_at: '2026-11-15T09:00:00Z',
        checked_at: '2026-11-15T09:00:00Z',
        lag_ms: 14,
        error: null,
      },
    ],
  },
  created_at: '2026-11-15T09:00:00Z',
  changed_at: '2026-11-15T09:00:00Z',
};

export const readZoneRoute = route({
  method: 'GET',
  path: '/domains/{domain_id}/zone',
  customer: 'read',
  area: 'dns',
  style: 'own',
  hasETag: true,
  summary: 'Read a zone and its publication status',
  description:
    'Serial, SOA and, for every nameserver, the serial that it serves. A change is published when all of them serve it. `ETag` is the serial. 404: the domain has no zone yet; the first record creates one.',
  input: z.object({ domain_id }),
  output: overview,
  errors: ['not_found'],
  example: {
    input: { domain_id: '5001' },
    output: overviewExample,
  },
  async answer(ctx, caller, input) {
    const found = await readZone(ctx, await requireDomain(ctx, caller, input.domain_id));
    return new Answer(show(found), { headers: etag(found.zone.serial) });
  },
});

export const checkZoneRoute = route({
  method: 'POST',
  path: '/domains/{domain_id}/zone/check',
  customer: 'dns',
  area: 'dns',
  style: 'own',
  cost: 20,
  summary: 'Query the nameservers of a zone now',
  description:
    'Queries each for its serial, like a public resolver. A nameserver that does not answer within 2 seconds is unreachable.',
  input: z.object({ domain_id }),
  output: overview,
  errors: ['not_found'],
  example: { input: { domain_id: '5001' }, output: overviewExample },
  async answer(ctx, caller, input) {
    return show(await queryNameservers(ctx, await requireDomain(ctx, caller, input.domain_id)));
  },
});
