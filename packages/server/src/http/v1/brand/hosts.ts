import { z } from 'zod';
import {
  type BrandHostRow,
  checkHost,
  claimHost,
  hostLimits,
  hostState,
  proofName,
  readHosts,
  removeHost,
} from '../../../core/brands/hosts.ts';
import { text } from '../../field.ts';
import { listAnswer } from '../../page.ts';
import { type Route, route } from '../../route.ts';
import { instantText } from '../../wire.ts';

const orNull = (at: Date | null) => at && instantText(at);

const hostView = z
  .object({
    hostname: z.string().describe('The host, in lower case and as A-labels.'),
    state: z
      .enum(['waiting', 'verified', 'missing'])
      .describe(
        '`waiting`: the TXT record was not found yet, and the host has no effect. `verified`: it shows your brand. `missing`: it still shows your brand, but its record is gone. It returns to `waiting` within days.',
      ),
    record_name: z.string().describe('Name of the TXT record that proves control.'),
    record_value: z.string().describe('Required value of that record.'),
    is_reached: z
      .boolean()
      .describe('Whether it served this service over HTTPS at the last check. If so, links in mails use it.'),
    verified_at: z.string().nullable().describe('When it began to show your brand.'),
    missing_since: z.string().nullable().describe('When the record was first found missing.'),
    checked_at: z.string().nullable().describe('Last check of the record.'),
  })
  .meta({ id: 'BrandHost', description: 'A host name at which your customers reach the pages.' });

const show = (row: BrandHostRow): z.output<typeof hostView> => ({
  hostname: row.host,
  state: hostState(row),
  record_name: proofName(row.host),
  record_value: row.proof,
  is_reached: row.reached_at !== null,
  verified_at: orNull(row.verified_at),
  missing_since: orNull(row.missed_since),
  checked_at: orNull(row.checked_at),
});

const example: z.output<typeof hostView> = {
  hostname: 'panel.example-shop.com',
  state: 'waiting',
  record_name: '_brand-host.panel.example-shop.com',
  record_value: 'h4kq7wmx2t9zr5vbn8cjd3sfygpeua6h4kq7wmx2',
  is_reached: false,
  verified_at: null,
  missing_since: null,
  checked_at: null,
};

const base = { area: 'account', style: 'own' } as const;
const writeErrors = ['idempotency_in_flight', 'idempotency_mismatch'] as const;
const brand_host = text({ max: 253, about: 'The host.', example: example.hostname });
const first = 'the host must be claimed first';

const listRoute = route({
  ...base,
  method: 'GET',
  path: '/brand/hosts',
  hasTotal: true,
  summary: 'List your hosts',
  description: 'Hosts at which your customers find your brand without the id of your account. Oldest first.',
  input: z.object({}),
  output: z.array(hostView),
  errors: [],
  example: { output: [example] },
  async answer(ctx, caller) {
    const rows = await readHosts(ctx, caller);
    return listAnswer(rows.map(show), rows.length);
  },
});

const claimRoute = route({
  ...base,
  method: 'POST',
  path: '/brand/hosts',
  sudo: true,
  summary: 'Add a host for your brand',
  description: `Returns the TXT record that proves that the host is yours. Until the record is found (\`POST /brand/hosts/{brand_host}/check\`), the host has no effect. An account can have ${hostLimits.perAccount} hosts.`,
  input: z.object({ hostname: text({ max: 253, about: 'The host.', example: example.hostname }) }),
  output: hostView,
  errors: ['already_exists', ...writeErrors],
  example: { input: { hostname: example.hostname }, output: example },
  render: show,
  answer: async (ctx, caller, { hostname }) => show(await claimHost(ctx, caller, hostname)),
});

const checkRoute = route({
  ...base,
  method: 'POST',
  path: '/brand/hosts/{brand_host}/check',
  sudo: true,
  cost: 5,
  summary: 'Check the record of a host',
  description:
    'Queries the DNS now. After the record is found, visitors of the host see your brand and your customers can sign in there, within seconds on all processes. Verified hosts are checked twice a day. 409 `conflict`: the host belongs to another account whose record is present.',
  input: z.object({ brand_host }),
  output: hostView,
  errors: ['conflict', 'not_available_yet', 'not_found', ...writeErrors],
  example: { input: { brand_host: example.hostname }, output: example, first },
  render: show,
  answer: async (ctx, caller, input) => show(await checkHost(ctx, caller, input.brand_host)),
});

const removeRoute = route({
  ...base,
  method: 'DELETE',
  path: '/brand/hosts/{brand_host}',
  sudo: true,
  summary: 'Remove a host',
  description: 'All sessions at this host end.',
  input: z.object({ brand_host }),
  output: z.object({ removed: z.boolean().describe('Always true.') }),
  errors: ['not_found', ...writeErrors],
  example: { input: { brand_host: example.hostname }, output: { removed: true }, first },
  render: () => ({ removed: true }),
  async answer(ctx, caller, input) {
    await removeHost(ctx, caller, input.brand_host);
    return { removed: true };
  },
});

export const hostRoutes: readonly Route[] = [listRoute, claimRoute, checkRoute, removeRoute];
