import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operatorId } from '../core/actors.ts';
import type { AppContext } from '../core/app-context.ts';
import type { TrialFailure, TrialSuccess, UpstreamTrial } from '../core/ports/upstream-accounts.ts';
import { csvOf } from '../core/pricing/upstream-prices.ts';
import type { ChangedRoutes } from '../core/registries/connect.ts';
import {
  connectionTo,
  hostOf,
  loadProposal,
  loginOf,
  type Proposal,
  proposeSetup,
  remedyFor,
  serviceNamed,
  storeConnection,
  tldsToSell,
  type UpstreamConnection,
} from '../core/upstreams/set-up.ts';
import { type Call, cliActor, type Option, type Outcome, optional, UsageError } from './command.ts';
import { listOf, marginOf, marginOptions, reportJson, reportLines } from './price-commands.ts';

export const upstreamOptions = {
  upstream: {
    type: 'string',
    about: 'Set up an account at this service, such as resellerclub. Missing values are requested at the terminal.',
  },
  'customer-id': { type: 'string', about: 'With --upstream: our customer there, to which all domains belong.' },
  'test-system': { type: 'boolean', about: 'With --upstream: use the test system of the service.' },
  ...marginOptions,
  load: { type: 'boolean', about: 'With --upstream: load the proposed catalogue and prices at once.' },
  out: { type: 'string', about: 'With --upstream: folder for the proposed files; default: the current folder.' },
} as const satisfies Record<string, Option>;

interface Answers {
  readonly connection: UpstreamConnection;
  readonly confirmsTlds: boolean;
}

/** `registry add --upstream`: tests the account, stores the connection, and proposes catalogue and prices. */
export async function addUpstream(call: Call): Promise<Outcome> {
  const answers = await collect(call);
  const { connection } = answers;
  return call.tools.withContext(async (ctx) => {
    const trial = await call.tools.upstreamAccounts.openTrial(ctx, loginOf(connection));
    try {
      const found = await trial.run();
      if (!found.ok) return refused(connection, found);
      const lines = accountLines(connection, found);
      const tlds = await chooseTlds(call, found);
      return await setUp(call, ctx, answers, { trial, found, tlds, lines });
    } finally {
      trial.close();
    }
  });
}

async function collect(call: Call): Promise<Answers> {
  const name = optional(call, 'upstream')!.toLowerCase();
  const accounts = call.tools.upstreamAccounts;
  const service = serviceNamed(accounts, name);
  if (!service)
    throw new UsageError(
      `--upstream must be one of ${Object.keys(accounts.services).join(', ')}. CentralNic Reseller is connected with --profile centralnic-reseller`,
    );
  const isTestSystem = call.options['test-system'] === true;
  if (isTestSystem && service.testHost === undefined)
    throw new UsageError(`${service.title} has no test system that can be used here`);
  const host = optional(call, 'host') ?? hostOf(service, isTestSystem) ?? (await ask(call, 'host', 'Host'));
  const { id: idName, secret: secretName, customer } = service.login;
  const clientId = optional(call, 'client-id') ?? (await ask(call, 'client-id', `${service.title} ${idName}`));
  const customerId =
    customer === undefined
      ? undefined
      : (optional(call, 'customer-id') ?? (await ask(call, 'customer-id', `${service.title} ${customer}`)));
  const currency = (
    optional(call, 'currency') ?? (await ask(call, 'currency', 'Currency of the account'))
  ).toUpperCase();
  const given = optional(call, 'profile');
  const ca = optional(call, 'ca');
  const stated = {
    id: call.positionals[0],
    isTestSystem,
    host,
    port: portOf(optional(call, 'port')),
    clientId,
    customerId,
    currency,
    profile: given === undefined ? undefined : readOwnProfile(given),
    caPem: ca === undefined ? undefined : readFileSync(ca, 'utf8'),
    pins: optional(call, 'pin')?.split(','),
    sourceAddress: optional(call, 'source-address'),
  };
  // Checked before the last question, so that a wrong answer to another one does not cost a second entry of the key.
  connectionTo(accounts, name, { ...stated, secret: '' });
  const secret = await readSecret(call, `${service.title} ${secretName}`);
  return {
    connection: connectionTo(accounts, name, { ...stated, secret }),
    confirmsTlds: call.options['confirm-tlds'] === true,
  };
}

export function portOf(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const port = Number(given);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new UsageError('--port must be a port number');
  return port;
}

function readOwnProfile(path: string): object {
  if (!existsSync(path)) throw new UsageError(`--profile ${path} is not a file`);
  const parsed: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (typeof parsed !== 'object' || parsed === null) throw new UsageError(`--profile ${path} is not a JSON object`);
  return parsed;
}

/** Without a terminal, the option is required. */
async function ask(call: Call, option: string, question: string): Promise<string> {
  const answer = (await call.tools.prompt?.(`${question}: `, { isHidden: false }))?.trim();
  if (!answer) throw new UsageError(`--${option} is missing`);
  return answer;
}

/** Never an option, because arguments are visible in the process list. */
async function readSecret(call: Call, question: string): Promise<string> {
  const path = optional(call, 'password-file');
  const secret =
    path === undefined
      ? await call.tools.prompt?.(`${question} (not shown): `, { isHidden: true })
      : readFileSync(path, 'utf8');
  if (!secret?.trim()) throw new UsageError(path === undefined ? '--password-file is missing' : `${path} is empty`);
  return secret.trim();
}

function refused(connection: UpstreamConnection, { problem, why }: TrialFailure): Outcome {
  const { id, service } = connection;
  const fix = remedyFor(problem, connection);
  return {
    lines: [`${service.title} refused the test: ${why}`, fix, 'The connection was not stored.'],
    json: { registry_id: id, ok: false, problem, answer: why, fix },
    exitCode: 1,
  };
}

function accountLines({ service, currency }: UpstreamConnection, found: TrialSuccess): string[] {
  const { balance, domains, offered } = found;
  return [
    `${service.title} accepted the credentials.`,
    `balance  ${balance === null ? 'not reported' : `${balance} ${currency}`}`,
    `domains  ${domains ?? 'not reported'}`,
    `TLDs     ${offered === null ? 'not reported' : offered.length}`,
  ];
}

async function chooseTlds(call: Call, { offered }: TrialSuccess): Promise<string[]> {
  const given = optional(call, 'tlds') ?? (await ask(call, 'tlds', 'TLDs to sell, such as com,net, or all'));
  return tldsToSell(given.trim().toLowerCase() === 'all' ? 'all' : listOf(given)!, offered);
}

interface Tested {
  readonly trial: UpstreamTrial;
  readonly found: TrialSuccess;
  readonly tlds: readonly string[];
  readonly lines: readonly string[];
}

async function setUp(
  call: Call,
  ctx: AppContext,
  { connection, confirmsTlds }: Answers,
  { trial, found, tlds, lines: known }: Tested,
): Promise<Outcome> {
  const { id } = connection;
  const audience = 'reseller' as const;
  const pricing = {
    takesRoutes: confirmsTlds,
    audience,
    margin: marginOf(call),
    priceCurrency: optional(call, 'price-currency')?.toUpperCase(),
  };
  // Before the connection is stored, so that prices in another currency are noticed.
  const proposal = await proposeSetup(ctx, trial, connection, { tlds, offered: found.offered }, pricing);
  if ('problem' in proposal) return refused(connection, proposal);
  const actor = cliActor(operatorId);
  const moved = await storeConnection(ctx, actor, connection, tlds, confirmsTlds);
  const common = { registry_id: id, ...found, tlds, ...moved };
  const head = [...known, `registry ${id} added with ${tlds.length} TLDs`, ...alternativeLines(id, moved.alternative)];
  if (call.options.load === true) {
    const { catalogueVersion, prices } = await loadProposal(ctx, actor, id, proposal, audience);
    const lines = [
      ...head,
      catalogueVersion === null ? 'the catalogue has these TLDs already' : `catalogue ${catalogueVersion} loaded`,
      ...(prices ? reportLines(prices, false) : [noPrices(id)]),
      ...nextLines(call, id, true),
    ];
    const json = { ...common, catalogue_version: catalogueVersion, ...(prices ? reportJson(prices) : {}) };
    return { lines, json, exitCode: prices && prices.refused.length > 0 ? 1 : 0 };
  }
  const files = writeProposal(call, id, proposal);
  const prices = proposal.prices && { ...proposal.prices, refused: [] };
  return {
    lines: [
      ...head,
      ...(prices ? reportLines(prices, true) : [noPrices(id)]),
      ...files.map(({ path, load }) => `wrote ${path}. Check it, then: ${load}`),
      ...nextLines(call, id, false),
    ],
    json: { ...common, files: files.map(({ path }) => path), ...(prices ? reportJson(prices) : {}) },
  };
}

/** TLDs whose routes lead to other registries. */
function alternativeLines(id: string, alternative: ChangedRoutes['alternative']): string[] {
  if (alternative.length === 0) return [];
  const named = alternative.slice(0, mostNamed).map(({ tld, route }) => `.${tld} (${route})`);
  const more = alternative.length > mostNamed ? ` and ${alternative.length - mostNamed} more` : '';
  const [first] = alternative;
  return [
    `new domains of ${named.join(', ')}${more} go to another registry. To send them here: namehold route set ${first!.tld} ${id}`,
  ];
}

const mostNamed = 10;

const noPrices = (id: string) =>
  `the service has no price list: import the costs of registry ${id} with namehold price import FILE.csv --target cost`;

function nextLines(call: Call, id: string, isLoaded: boolean): string[] {
  const hasMargin = call.options.margin !== undefined;
  return [
    ...(hasMargin ? [] : ['no selling prices were calculated: add --margin 15%, or import your own prices']),
    `next: namehold registry test ${id}${isLoaded ? '' : ', after the files are loaded'}`,
  ];
}

function writeProposal(
  call: Call,
  id: string,
  { catalogue, prices }: Proposal,
): { readonly path: string; readonly load: string }[] {
  const folder = optional(call, 'out') ?? '.';
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string, load: (path: string) => string) => {
    const path = join(folder, `${id}-${name}`);
    writeFileSync(path, text);
    return { path, load: load(path) };
  };
  const files = [write('catalogue.json', catalogue, (path) => `namehold tld load ${path}`)];
  const lists = [
    ['costs.csv', prices?.costs, `cost --registry ${id}`],
    ['prices.csv', prices?.prices, 'reseller'],
  ] as const;
  for (const [name, changes, target] of lists)
    if (changes && changes.length > 0)
      files.push(write(name, csvOf(changes), (path) => `namehold price import ${path} --target ${target}`));
  return files;
}
