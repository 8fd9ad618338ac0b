import {
  type AccountPace,
  type EppSession,
  type ExchangeEnd,
  isTransform,
  type ObjectRequest,
  type RegistryProfile,
  withFixed,
  writeCommand,
} from '@namehold/epp';
import { awaitTurn } from './account.ts';

/** More would tell no more. */
const maxTlds = 10;

/** One session at a time. A registry may end it between two questions: that is no fault of either side, and another is opened. */
export interface Line {
  session: EppSession;
  readonly open: () => Promise<EppSession>;
}

interface Walk {
  readonly line: Line;
  readonly account: AccountPace;
  readonly profile: RegistryProfile;
  readonly tlds: readonly string[];
  readonly newClTRID: () => string;
  /** A label that nobody has. */
  readonly label: string;
  /** In which currencies prices under a TLD may be named; none: nobody knows. */
  readonly currenciesOf: (tld: string) => Promise<readonly string[]>;
}

/** Questions only: what a registry answers otherwise than the profile expects. Nothing is changed, and no message is acknowledged. */
export async function walk(parts: Walk): Promise<string[]> {
  const { profile, tlds, label, line } = parts;
  const { fee } = profile.namespaces;
  const ext =
    fee && line.session.greeting.extURIs.includes(fee)
      ? { ext: { fee: { commands: [{ name: 'create' as const }] } } }
      : {};
  const findings: string[] = [];
  for (const [place, tld] of tlds.slice(0, maxTlds).entries()) {
    const count = place === 0 ? profile.limits.maxNamesPerCheck : 1;
    const names = Array.from({ length: count }, (_, at) => `${label}${at}.${tld}`);
    const check = { object: 'domain', verb: 'check', names, ...ext } as const;
    const answered = await ask(
      parts,
      `a check of ${count} ${count === 1 ? 'name' : 'names'} under .${tld}`,
      check,
      [1000],
    );
    findings.push(...answered.findings, ...(await currencyFinding(parts, tld, answered.feeCurrency)));
  }
  const name = `${label}.${tlds[0] ?? 'invalid'}`;
  const info = await ask(parts, 'an info of a name that nobody has', { object: 'domain', verb: 'info', name }, [2303]);
  const poll = await ask(parts, 'a poll', { object: 'poll', verb: 'request' }, [1300, 1301]);
  const { balance } = profile.namespaces;
  // Named by the profile and not offered is a finding already.
  const isOffered = balance !== undefined && line.session.greeting.objURIs.includes(balance);
  const account = isOffered
    ? await ask(parts, 'a balance query', { object: 'balance', verb: 'info' }, [1000])
    : undefined;
  return [...findings, ...info.findings, ...poll.findings, ...(account?.findings ?? [])];
}

async function currencyFinding({ currenciesOf }: Walk, tld: string, told: string | undefined): Promise<string[]> {
  const expected = await currenciesOf(tld);
  if (told === undefined || expected.length === 0 || expected.includes(told)) return [];
  return [
    `the server names prices under .${tld} in ${told}, and ${expected.join(' or ')} is expected: connect it with --currency ${told} and import its costs in ${told}`,
  ];
}

interface Asked {
  readonly findings: readonly string[];
  readonly feeCurrency?: string | undefined;
}

async function ask(parts: Walk, what: string, request: ObjectRequest, wanted: readonly number[]): Promise<Asked> {
  if (isTransform(request)) throw new Error('a walk only asks');
  const { line } = parts;
  let end = await exchange(parts, request);
  if (end.kind === 'unsent' || (end.kind === 'lost' && end.why === 'socket-died')) {
    line.session = await line.open();
    end = await exchange(parts, request);
  }
  if (end.kind !== 'answered') return { findings: [`${what} was not answered: ${end.text}`] };
  const { results, unreadable } = end.response;
  const { code, msg, extValues = [] } = results[0];
  const said = [`${code} ${msg}`, ...extValues.map(({ reason }) => reason)].filter((text) => text !== '').join('; ');
  const findings = [
    ...(wanted.includes(code) ? [] : [`${what} was answered with ${said}, not with ${wanted.join(' or ')}`]),
    ...(unreadable === undefined ? [] : [`the answer to ${what} cannot be read: ${unreadable}`]),
  ];
  return { findings, feeCurrency: end.response.ext.feeCheck?.currency };
}

async function exchange({ line, account, profile, newClTRID }: Walk, request: ObjectRequest): Promise<ExchangeEnd> {
  if ((await awaitTurn(account)) === 0) throw new Error('the pace of the account leaves no room for a command');
  const clTRID = newClTRID();
  const xml = writeCommand(withFixed(request, profile), clTRID, profile.namespaces);
  return line.session.exchange(xml, clTRID, profile.timeouts.queryMs);
}
