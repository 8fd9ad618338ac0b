import { z } from 'zod';
import { engines } from '../../../core/nameservers/nameserver.ts';
import {
  countedZones,
  type NameserverOverview,
  readNameserverOverviews,
} from '../../../core/operator/component-overview.ts';
import { route } from '../../route.ts';
import { instantOrNull } from '../../wire.ts';

const nameserverView = z
  .object({
    nameserver_id: z.string().describe('Host name, as added.'),
    engine: z.enum(engines).describe('Nameserver software.'),
    address: z.string(),
    port: z.number(),
    is_active: z.boolean().describe('Whether zones are sent to it.'),
    is_public: z.boolean().describe('Whether domains are delegated to it.'),
    is_signed: z.boolean().describe('Whether zone transfers are signed (TSIG).'),
    zones_behind: z.number().describe(`Zones with an outdated serial on it, counted up to ${countedZones + 1}.`),
    lag_seconds: z.number().describe('Age of the oldest of them.'),
    checked_at: z.string().nullable().describe('Last query.'),
    error: z.string().nullable().describe('Error of the last query.'),
  })
  .meta({ id: 'NameserverStatus', description: 'Status of a nameserver.' });

const show = (of: NameserverOverview): z.output<typeof nameserverView> => ({
  nameserver_id: of.id,
  engine: of.engine,
  address: of.address,
  port: of.port,
  is_active: of.isActive,
  is_public: of.isPublic,
  is_signed: of.isSigned,
  zones_behind: of.behind,
  lag_seconds: of.lagSeconds,
  checked_at: instantOrNull(of.checkedAt),
  error: of.error,
});

export const listNameserversRoute = route({
  method: 'GET',
  path: '/operator/nameservers',
  area: 'account',
  style: 'own',
  summary: 'List nameservers',
  description: 'Status of each nameserver: outdated zones, lag and error. Only for the operator.',
  input: z.object({}),
  output: z.object({ nameservers: z.array(nameserverView) }),
  errors: ['operator_only'],
  example: {
    output: {
      nameservers: [
        {
          nameserver_id: 'ns1',
          engine: 'knot',
          address: '192.0.2.53',
          port: 53,
          is_active: true,
          is_public: true,
          is_signed: true,
          zones_behind: 0,
          lag_seconds: 0,
          checked_at: '2026-11-15T09:00:00Z',
          error: null,
        },
      ],
    },
  },
  answer: async (ctx, caller) => ({ nameservers: (await readNameserverOverviews(ctx, caller)).map(show) }),
});
