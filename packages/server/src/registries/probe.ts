import {
  type AccountRateLimit,
  type EppSession,
  type ExchangeResult,
  isTransform,
  type ObjectRequest,
  type RegistryProfile,
  withFixed,
  writeCommand,
} from '@namehold/epp';
import { awaitRateLimit } from './account.ts';

/** A larger number gives no more information. */
const maxTlds = 10;

/** Uses one session at a time and opens another if the registry ends it between two queries, which is allowed. */
export interface ProbeConnection {
  session: EppSession;
  readonly open: () => Promise<EppSession>;
}

interface ProbeParts {
  readonly connection: ProbeConnection;
  readonly account: AccountRateLimit;
  readonly profile: RegistryProfile;
  readonly tlds: readonly string[];
  readonly newClTRID: () => string;
  /** A label that is not registered. */
  readonly label: string;
  /** Currencies to try in fee queries under a TLD. Empty: unknown. */
  readonly currenciesOf: (tld: string) => Promise<readonly string[]>;
}

/** Compares the registry with its profile by queries only. Nothing is changed and no message is acknowledged. */
export async function probeRegistry(parts: ProbeParts): Promise<string[]> {
  const { profile, tlds, label, connection } = parts;
  const { fee } = profile.namespaces;
  const ext =
    fee && connection.session.greeting.extURIs.includes(fee)
      ? { ext: { fee: { commands: [{ name: 'create' as const }] } } }
      : {};
  const findings: string[] = [];
  for (const [place, tld] of tlds.slice(0, maxTlds).entries()) {
    const count = place === 0 ? profile.limits.maxNamesPerCheck : 1;
    const names = Array.from({ length: count }, (_, at) => `${label}${at}.${tld}`);
    const check = { object: 'domain', verb: 'check', names, ...ext } as const;
    const answered = await probe(
      parts,
      `a check of ${count} ${count === 1 ? 'name' : 'names'} under .${tld}`,
      check,
      [1000],
    );
    findings.push(...answered.findings, ...(await currencyFinding(parts, tld, answered.feeCurrency)));
  }
  const name = `${label}.${tlds[0] ?? 'invalid'}`;
  const info = await probe(
    parts,
    'an info of an unregistered domain',
    { object: 'domain', verb: 'info', name },
    [2303],
  );
  const poll = await probe(parts, 'a poll', { object: 'poll', verb: 'request' }, [1300, 1301]);
  const { balance } = profile.namespaces;
  // Extensions in the profile that the registry does not offer are a finding already.
  const isOffered = balance !== undefined && connection.session.greeting.objURIs.includes(balance);
  const account = isOffered
    ? await probe(parts, 'a balance query', { object: 'balance', verb: 'info' }, [1000])
    : undefined;
  return [...findings, ...info.findings, ...poll.findings, ...(account?.findings ?? [])];
}

async function currencyFinding(
  { currenciesOf }: ProbeParts,
  tld: string,
  reported: string | undefined,
): Promise<string[]> {
  const expected = await currenciesOf(tld);
  if (reported === undefined || expected.length === 0 || expected.includes(reported)) return [];
  return [
    `the server has prices under .${tld} in ${reported}, and ${expected.join(' or ')} is expected: connect it with --currency ${reported} and import its costs in ${reported}`,
  ];
}

interface ProbeOutcome {
  readonly findings: readonly string[];
  readonly feeCurrency?: string | undefined;
}

async function probe(
  parts: ProbeParts,
  what: string,
  request: ObjectRequest,
  wanted: readonly number[],
): Promise<ProbeOutcome> {
  if (isTransform(request)) throw new Error('this check sends only queries');
  const { connection } = parts;
  let end = await exchange(parts, request);
  if (end.kind === 'unsent' || (end.kind === 'lost' && end.why === 'socket-died')) {
    connection.session = await connection.open();
    end = await exchange(parts, request);
  }
  if (end.kind !== 'answered') return { findings: [`${what} was not answered: ${end.text}`] };
  const { results, unreadable } = end.response;
  const { code, msg, extValues = [] } = results[0];
  const answer = [`${code} ${msg}`, ...extValues.map(({ reason }) => reason)].filter((text) => text !== '').join('; ');
  const findings = [
    ...(wanted.includes(code) ? [] : [`${what} was answered with ${answer}, not with ${wanted.join(' or ')}`]),
    ...(unreadable === undefined ? [] : [`the answer to ${what} cannot be read: ${unreadable}`]),
  ];
  return { findings, feeCurrency: end.response.ext.feeCheck?.currency };
}

async function exchange(
  { connection, account, profile, newClTRID }: ProbeParts,
  request: ObjectRequest,
): Promise<ExchangeResult> {
  if ((await awaitRateLimit(account)) === 0)
    throw new Error('the rate limit of the account leaves no room for a command');
  const clTRID = newClTRID();
  const xml = writeCommand(withFixed(request, profile), clTRID, profile.namespaces);
  return connection.session.exchange(xml, clTRID, profile.timeouts.queryMs);
}
