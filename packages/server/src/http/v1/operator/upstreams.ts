import { z } from 'zod';
import { trialProblems, type UpstreamService } from '../../../core/ports/upstream-accounts.ts';
import { testUpstream, type UpstreamTest, upstreamServices, upstreamTestLimits } from '../../../core/upstreams/add.ts';
import { route } from '../../route.ts';
import {
  accountExample,
  accountInput,
  balanceText,
  needsAccount,
  statedAccount,
  testCost,
} from './upstream-account.ts';

const serviceView = z
  .object({
    service: z.string().describe('Its name in the other calls.'),
    title: z.string(),
    upstream_host: z.string().nullable().describe('Its address. Null: `upstream_host` is required.'),
    has_test_system: z.boolean().describe('Whether `test_system` can be used.'),
    lists_tlds: z.boolean().describe('false: the account does not report its TLDs.'),
    fields: z
      .array(
        z.object({
          name: z.string().describe('Field of the other calls.'),
          label: z.string().describe('Name that the service uses for it.'),
          is_secret: z.boolean().describe('Must not be shown or stored by a client.'),
        }),
      )
      .describe('Fields that the service requires, besides `currency`.'),
    hint: z.string().describe('Checks if the account is refused.'),
  })
  .meta({ id: 'UpstreamService', description: 'A service at which an account can be connected.' });

function showService([service, { title, host, testHost, login, account, listsTlds = true }]: readonly [
  string,
  UpstreamService,
]): z.output<typeof serviceView> {
  const customer =
    login.customer === undefined ? [] : [{ name: 'upstream_customer_id', label: login.customer, is_secret: false }];
  return {
    service,
    title,
    upstream_host: host ?? null,
    has_test_system: testHost !== undefined,
    lists_tlds: listsTlds,
    fields: [
      { name: 'client_id', label: login.id, is_secret: false },
      ...customer,
      { name: 'secret', label: login.secret, is_secret: true },
      ...(host === undefined ? [{ name: 'upstream_host', label: 'host', is_secret: false }] : []),
    ],
    hint: account,
  };
}

export const listUpstreamServicesRoute = route({
  method: 'GET',
  path: '/operator/upstream_services',
  area: 'account',
  style: 'own',
  summary: 'List upstream services',
  description: 'Services at which a shop has a wholesale account, and what each requires. Only for the operator.',
  input: z.object({}),
  output: z.object({ services: z.array(serviceView).describe('Services that can be set up.') }),
  errors: ['operator_only'],
  example: {
    output: {
      services: [
        {
          service: 'openprovider',
          title: 'Openprovider',
          upstream_host: 'api.openprovider.eu',
          has_test_system: false,
          lists_tlds: true,
          fields: [
            { name: 'client_id', label: 'user name', is_secret: false },
            { name: 'secret', label: 'password', is_secret: true },
          ],
          hint: 'In the control panel, compare the user name and the password, and allow the address of this service for this contact.',
        },
      ],
    },
  },
  answer: async (ctx, caller) => ({ services: upstreamServices(ctx, caller).map(showService) }),
});

const testView = z.object({
  ok: z.boolean().describe('Whether the account can be used.'),
  problem: z
    .enum(trialProblems)
    .nullable()
    .describe(
      'login: credentials, address or state of the account were refused. slow: the time was over. answer: an answer could not be read.',
    ),
  upstream_message: z.string().nullable().describe('The message of the service, or of the connection.'),
  remedy: z.string().nullable().describe('Next step for the operator.'),
  balance: balanceText,
  currency: z.string(),
  domains: z.number().nullable().describe('Domains in the account. Null: not reported.'),
  are_all_counted: z.boolean().describe('false: the account has at least this number of domains.'),
  tlds: z
    .array(
      z.object({
        tld: z.string().describe('The TLD.'),
        min_years: z.number().nullable(),
        max_years: z.number().nullable(),
      }),
    )
    .nullable()
    .describe('TLDs that the account may sell, with the facts that it reports. Null: not reported.'),
});

function showTest({ connection, trial, remedy }: UpstreamTest): z.output<typeof testView> {
  const { currency } = connection;
  if (!trial.ok)
    return {
      ok: false,
      problem: trial.problem,
      upstream_message: trial.why,
      remedy,
      balance: null,
      currency,
      domains: null,
      are_all_counted: false,
      tlds: null,
    };
  return {
    ok: true,
    problem: null,
    upstream_message: null,
    remedy: null,
    balance: trial.balance,
    currency,
    domains: trial.domains,
    are_all_counted: trial.isCountComplete,
    tlds:
      trial.offered?.map(({ tld, minYears, maxYears }) => ({
        tld,
        min_years: minYears ?? null,
        max_years: maxYears ?? null,
      })) ?? null,
  };
}

export const testUpstreamRoute = route({
  method: 'POST',
  path: '/operator/upstreams/test',
  sudo: true,
  area: 'account',
  scope: 'full',
  style: 'own',
  cost: testCost,
  summary: 'Test an account at an upstream',
  description: `Queries balance, TLDs and domains of an account before it is connected. Nothing is stored, and nothing is changed there. A refusal of the service is a result with \`ok\` false. All queries together take at most ${upstreamTestLimits.totalMs / 1_000} seconds. Only for the operator.`,
  input: z.object(accountInput),
  output: testView,
  errors: ['invalid_argument', 'operator_only', 'rate_limited'],
  example: {
    input: accountExample,
    first: needsAccount,
    output: {
      ok: true,
      problem: null,
      upstream_message: null,
      remedy: null,
      balance: '1250.00',
      currency: 'USD',
      domains: 312,
      are_all_counted: true,
      tlds: [{ tld: 'com', min_years: null, max_years: null }],
    },
  },
  answer: async (ctx, caller, input) =>
    showTest(await testUpstream(ctx, caller, input.service.toLowerCase(), statedAccount(input))),
});
