import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCurrency } from '@namehold/base';
import { operatorId } from '../core/actors.ts';
import type { AppContext } from '../core/app-context.ts';
import { readWish, storeUpstreamPrices, type UpstreamImportReport } from '../core/pricing/import-upstream.ts';
import { compareUpstreamPrices, csvOf } from '../core/pricing/upstream-prices.ts';
import { type ChangedRoutes, connectRegistry, type NewRegistry } from '../core/registries/connect.ts';
import { proposeCatalogue } from '../core/registries/propose.ts';
import type { Trial, TrialProblem, UpstreamService, UpstreamTrial } from '../core/registries/upstream-service.ts';
import { readCatalogueEntries } from '../core/tlds/list.ts';
import { loadCatalogue } from '../core/tlds/load.ts';
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

interface Answers extends NewRegistry {
  readonly service: UpstreamService;
}

/** `registry add --upstream`: tests the account, stores the connection, and proposes catalogue and prices. */
export async function addUpstream(call: Call): Promise<Outcome> {
  const answers = await collect(call);
  const { service, id, profile, host, port, clientId, password, caPem, pins, sourceAddress } = answers;
  return call.tools.withContext(async (ctx) => {
    const login = { id, profile, host, port, clientId, secret: password, caPem, pins, sourceAddress };
    const trial = await call.tools.openTrial(ctx, login);
    try {
      const found = await trial.run();
      if (!found.ok) return refused(answers, found);
      const lines = accountLines(service, answers, found);
      const tlds = await chooseTlds(call, found);
      return await setUp(call, ctx, { ...answers, tlds }, { trial, found, lines });
    } finally {
      trial.close();
    }
  });
}

async function collect(call: Call): Promise<Answers> {
  const name = optional(call, 'upstream')!.toLowerCase();
  const { upstreamServices: services, readProfile } = call.tools;
  const service = services[name];
  if (!service)
    throw new UsageError(
      `--upstream must be one of ${Object.keys(services).join(', ')}. CentralNic Reseller is connected with --profile centralnic-reseller`,
    );
  const id = call.positionals[0] ?? name.replace(/[^a-z0-9-]/g, '-');
  const isTest = call.options['test-system'] === true;
  if (isTest && service.testHost === undefined)
    throw new UsageError(`${service.title} has no test system that can be used here`);
  const host =
    optional(call, 'host') ?? (isTest ? service.testHost : service.host) ?? (await ask(call, 'host', 'Host'));
  const { id: idName, secret, customer } = service.login;
  const clientId = optional(call, 'client-id') ?? (await ask(call, 'client-id', `${service.title} ${idName}`));
  const customerId =
    customer === undefined
      ? undefined
      : (optional(call, 'customer-id') ?? (await ask(call, 'customer-id', `${service.title} ${customer}`)));
  const currency = (
    optional(call, 'currency') ?? (await ask(call, 'currency', 'Currency of the account'))
  ).toUpperCase();
  if (!isCurrency(currency)) throw new UsageError(`--currency must be a currency code such as EUR, not "${currency}"`);
  const given = optional(call, 'profile');
  const own = given === undefined ? {} : readOwnProfile(given);
  const preset = isTest ? (service.testProfile ?? service.profile) : service.profile;
  const json = { kind: 'upstream', ...preset, ...(customerId ? { customerId } : {}), currency, ...own };
  const profile = readProfile(JSON.stringify(json), id);
  // The last question, so that a wrong answer to another one does not cost a second entry of the key.
  const password = await readSecret(call, `${service.title} ${secret}`);
  const ca = optional(call, 'ca');
  return {
    service,
    id,
    profile,
    host,
    port: portOf(optional(call, 'port')) ?? service.port ?? 443,
    clientId,
    password,
    currency,
    caPem: ca === undefined ? undefined : readFileSync(ca, 'utf8'),
    pins: optional(call, 'pin')?.split(','),
    sourceAddress: optional(call, 'source-address'),
    tlds: [],
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

const fixes: Readonly<Record<TrialProblem, (answers: Answers) => string>> = {
  login: ({ service }) => `${service.account} An account that is inactive or suspended is refused in the same way.`,
  currency: ({ currency }) =>
    `Run the command again with the currency of the account in place of --currency ${currency}.`,
  rate_limit: () => 'The service limits the requests of this account. Wait some minutes, then run the command again.',
  network: ({ host, port }) => `Check that this machine reaches ${host}:${port}, and that the service works.`,
  answer: ({ service }) => `Compare the answer with the documents of ${service.title}, or ask its support.`,
};

function refused(answers: Answers, { problem, why }: Extract<Trial, { ok: false }>): Outcome {
  const { id, service } = answers;
  const fix = fixes[problem](answers);
  return {
    lines: [`${service.title} refused the test: ${why}`, fix, 'The connection was not stored.'],
    json: { registry_id: id, ok: false, problem, answer: why, fix },
    exitCode: 1,
  };
}

function accountLines(service: UpstreamService, { currency }: Answers, found: Extract<Trial, { ok: true }>): string[] {
  const { balance, domains, offered } = found;
  return [
    `${service.title} accepted the credentials.`,
    `balance  ${balance === null ? 'not reported' : `${balance} ${currency}`}`,
    `domains  ${domains ?? 'not reported'}`,
    `TLDs     ${offered === null ? 'not reported' : offered.length}`,
  ];
}

async function chooseTlds(call: Call, { offered }: Extract<Trial, { ok: true }>): Promise<string[]> {
  const given = optional(call, 'tlds') ?? (await ask(call, 'tlds', 'TLDs to sell, such as com,net, or all'));
  const known = offered?.map(({ tld }) => tld);
  if (given.trim().toLowerCase() === 'all') {
    if (!known) throw new UsageError('this service does not list its TLDs: name them with --tlds');
    return known;
  }
  const tlds = listOf(given)!;
  const unknown = known && tlds.filter((tld) => !known.includes(tld));
  if (unknown && unknown.length > 0)
    throw new UsageError(`the account cannot sell ${unknown.map((tld) => `.${tld}`).join(', ')}`);
  return tlds;
}

interface Tested {
  readonly trial: UpstreamTrial;
  readonly found: Extract<Trial, { ok: true }>;
  readonly lines: readonly string[];
}

async function setUp(call: Call, ctx: AppContext, answers: Answers, tested: Tested): Promise<Outcome> {
  const { id, tlds } = answers;
  const prices = await proposePrices(call, ctx, answers, tested.trial);
  if (prices && 'problem' in prices) return prices.problem;
  const { service: _, ...registry } = answers;
  const moved = await connectRegistry(ctx, registry);
  const catalogue = proposeCatalogue(await readCatalogueEntries(ctx), id, tlds, tested.found.offered);
  const common = { registry_id: id, ...tested.found, tlds, ...moved };
  const head = [
    ...tested.lines,
    `registry ${id} added with ${tlds.length} TLDs`,
    ...alternativeLines(id, moved.alternative),
  ];
  if (call.options.load === true) {
    const { version } = await loadCatalogue(ctx, catalogue, `${id}.json`);
    const refusedLines =
      prices &&
      (await storeUpstreamPrices(ctx, cliActor(operatorId), { registryId: id, audience: 'reseller' }, prices));
    const report = prices && { ...prices, refused: refusedLines ?? [] };
    const lines = [
      ...head,
      version === undefined ? 'the catalogue has these TLDs already' : `catalogue ${version} loaded`,
      ...(report ? reportLines(report, false) : [noPrices(id)]),
      ...nextLines(call, id, true),
    ];
    const json = { ...common, catalogue_version: version ?? null, ...(report ? reportJson(report) : {}) };
    return { lines, json, exitCode: report && report.refused.length > 0 ? 1 : 0 };
  }
  const files = writeProposal(call, id, catalogue, prices);
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

type Proposed = UpstreamImportReport | undefined | { readonly problem: Outcome };

/** Read before the connection is stored, so that another currency is noticed. */
async function proposePrices(call: Call, ctx: AppContext, answers: Answers, trial: UpstreamTrial): Promise<Proposed> {
  const reply = await trial.prices(answers.tlds);
  if (reply === null) return undefined;
  if (reply.kind !== 'done') {
    const why = reply.kind === 'refused' ? (reply.evidence.text ?? 'refused') : reply.why;
    return { problem: refused(answers, { ok: false, problem: 'answer', why: `the price list was not read: ${why}` }) };
  }
  const other = reply.data.find(({ fee }) => fee.currency !== answers.currency);
  if (other) {
    const why = `.${other.tld} costs ${other.fee.amount} ${other.fee.currency}, and the account was stated in ${answers.currency}`;
    return { problem: refused(answers, { ok: false, problem: 'currency', why }) };
  }
  const priceCurrency = optional(call, 'price-currency')?.toUpperCase();
  const owner = { registryId: answers.id, takesRoutes: answers.confirmsTlds };
  const wish = await readWish(ctx, { audience: 'reseller', margin: marginOf(call), priceCurrency });
  return { ...(await compareUpstreamPrices(ctx, owner, answers.tlds, reply.data, wish)), refused: [] };
}

function writeProposal(
  call: Call,
  id: string,
  catalogue: string,
  prices: UpstreamImportReport | undefined,
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
