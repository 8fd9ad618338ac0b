import { z } from 'zod';
import { readFaults, readSandboxRegistry } from '../../../core/sandbox/sandbox.ts';
import { text } from '../../field.ts';
import { type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';
import { faultList } from './faults.ts';

const nameView = z
  .object({
    domain_name: z.string(),
    sponsor: z.string().describe('The sponsoring registrar.'),
    phase: z.string().describe('Its state: active, expired, redemption and others.'),
    statuses: z.array(z.string()).describe('EPP statuses.'),
    rgp_statuses: z.array(z.string()).describe('Active grace periods (RFC 3915).'),
    nameservers: z.array(z.string()),
    created_at: z.string(),
    expires_at: z.string(),
    due_at: z.string().describe('Next change caused by time alone.'),
    transfer_status: z.string().nullable().describe('Status of its latest transfer.'),
  })
  .meta({ id: 'SandboxName', description: 'A domain at the sandbox registry.' });

const second = (at: string) => instantText(new Date(at));
const common = { area: 'domains', style: 'own', isSandboxOnly: true, method: 'GET' } as const;

export const sandboxRegistryRoutes: readonly Route[] = [
  route({
    ...common,
    path: '/sandbox',
    summary: 'Read the sandbox',
    description: 'Sandbox mode only. The business clock, and the active faults of the sandbox registry.',
    input: z.object({}),
    output: z.object({ now: z.string().describe('The business clock.'), faults: faultList }),
    errors: ['unavailable'],
    example: { output: { now: '2027-12-20T09:00:00Z', faults: [] } },
    answer: async (ctx) => ({ now: instantText(ctx.clock.now()), faults: [...(await readFaults(ctx))] }),
  }),
  route({
    ...common,
    path: '/sandbox/domains/{name}',
    summary: 'Read a domain at the sandbox registry',
    description:
      'Sandbox mode only. Your own domains, directly from the registry and independent of the data of the service.',
    input: z.object({
      name: text({ max: 253, about: 'The domain name, or the domain id.', example: 'example-shop.com' }),
    }),
    output: nameView,
    errors: ['not_found', 'unavailable'],
    example: {
      input: { name: 'example-shop.com' },
      output: {
        domain_name: 'example-shop.com',
        sponsor: 'namehold',
        phase: 'active',
        statuses: ['clientTransferProhibited'],
        rgp_statuses: ['addPeriod'],
        nameservers: ['ns1.example.net', 'ns2.example.net'],
        created_at: '2027-03-01T09:00:00Z',
        expires_at: '2028-03-01T09:00:00Z',
        due_at: '2028-03-01T09:00:00Z',
        transfer_status: null,
      },
    },
    async answer(ctx, caller, input) {
      const found = await readSandboxRegistry(ctx, caller, input.name);
      return {
        domain_name: found.name,
        sponsor: found.sponsor,
        phase: found.phase,
        statuses: [...found.statuses],
        rgp_statuses: [...found.graceStatuses],
        nameservers: [...found.hosts],
        created_at: second(found.createdAt),
        expires_at: second(found.expiresAt),
        due_at: second(found.dueAt),
        transfer_status: found.transferState,
      };
    },
  }),
];
