import { z } from 'zod';
import { type RegistryOverview, readRegistries } from '../../../core/operator/component-overview.ts';
import { route } from '../../route.ts';
import { instantOrNull } from '../../wire.ts';
import { moneyView, showMoney } from '../billing/money-view.ts';

const registryView = z
  .object({
    registry_id: z.string(),
    host: z.string().describe('Address of the registry.'),
    port: z.number(),
    client_id: z.string().describe('Our login at the registry.'),
    tlds: z.array(z.string()).describe('TLDs that it serves.'),
    routes: z.array(z.string()).describe('Those of these TLDs whose new registrations and transfers in go to it.'),
    is_active: z.boolean().describe('Whether it is in use.'),
    is_reachable: z
      .boolean()
      .describe('false: it did not answer, and calls are refused for some seconds (circuit breaker).'),
    sessions: z
      .object({ open: z.number().describe('In use.'), most: z.number().describe('Agreed maximum.') })
      .describe('Over all processes.'),
    login_refused: z
      .object({ code: z.number().describe('Response to the login.'), until: z.string().describe('No login before.') })
      .nullable()
      .describe('Null: logins work.'),
    unknown_operations: z.number().describe('Orders whose result is being queried.'),
    messages_open: z.number().describe('Unprocessed poll messages.'),
    last_message_at: z.string().nullable().describe('Time of the last poll message.'),
    balance: moneyView.nullable().describe('Our balance at the registry, as last reported.'),
    dialect: z.string().nullable().describe('The API of an upstream, such as logicboxes. Null: a registry with EPP.'),
    last_request_at: z
      .string()
      .nullable()
      .describe('When a request was last sent to it, by any process. Null: none was sent yet.'),
    alarms: z
      .array(z.object({ key: z.string(), severity: z.enum(['warning', 'critical']), sentence: z.string() }))
      .describe('Open alarms about it that are not acknowledged.'),
    certificate_expires_at: z.string().nullable().describe('Expiry of our client certificate.'),
    password_expires_at: z.string().nullable().describe('Expiry of our password at the registry.'),
  })
  .meta({ id: 'RegistryStatus', description: 'Status of a connected registry.' });

const show = (of: RegistryOverview): z.output<typeof registryView> => ({
  registry_id: of.id,
  host: of.host,
  port: of.port,
  client_id: of.clientId,
  tlds: [...of.tlds],
  routes: [...of.routes],
  is_active: of.isActive,
  is_reachable: of.isReachable,
  sessions: { open: of.sessions_open, most: of.sessions },
  login_refused: of.paused_until && { code: of.pause_code ?? 0, until: instantOrNull(of.paused_until) ?? '' },
  unknown_operations: of.unknown,
  messages_open: of.messages_open,
  last_message_at: instantOrNull(of.last_message_at),
  balance: of.balance && showMoney(of.balance),
  dialect: of.dialect,
  last_request_at: instantOrNull(of.last_request_at),
  alarms: of.alarms.map(({ key, severity, sentence }) => ({
    key,
    severity: severity === 'critical' ? 'critical' : 'warning',
    sentence,
  })),
  certificate_expires_at: instantOrNull(of.certificateEndsAt),
  password_expires_at: instantOrNull(of.passwordEndsAt),
});

export const listRegistriesRoute = route({
  method: 'GET',
  path: '/operator/registries',
  area: 'account',
  style: 'own',
  summary: 'List registries',
  description: 'Status of each connected registry: sessions, login, messages and balance. Only for the operator.',
  input: z.object({}),
  output: z.object({ registries: z.array(registryView).describe('Sorted by id.') }),
  errors: ['operator_only'],
  example: {
    output: {
      registries: [
        {
          registry_id: 'sandbox',
          host: '127.0.0.1',
          port: 700,
          client_id: 'namehold',
          tlds: ['com', 'id'],
          routes: ['com', 'id'],
          is_active: true,
          is_reachable: true,
          sessions: { open: 1, most: 4 },
          login_refused: null,
          unknown_operations: 0,
          messages_open: 0,
          last_message_at: null,
          balance: { amount: '9000.00', currency: 'USD' },
          dialect: null,
          last_request_at: '2026-11-15T09:00:00Z',
          alarms: [],
          certificate_expires_at: null,
          password_expires_at: null,
        },
      ],
    },
  },
  answer: async (ctx, caller) => ({ registries: (await readRegistries(ctx, caller)).map(show) }),
});
