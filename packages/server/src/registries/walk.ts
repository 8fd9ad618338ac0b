import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EppSession,
  isTransform,
  type ObjectRequest,
  type RegistryProfile,
  withFixed,
  writeCommand,
} from '@namehold/epp';

const secondMs = 1_000;
/** More would tell no more. */
const maxTlds = 10;

interface Walk {
  readonly session: EppSession;
  readonly profile: RegistryProfile;
  readonly tlds: readonly string[];
  readonly newClTRID: () => string;
  /** A label that nobody has. */
  readonly label: string;
}

/** Questions only: what a registry answers otherwise than the profile expects. Nothing is changed, and no message is acknowledged. */
export async function walk(parts: Walk): Promise<string[]> {
  const { profile, tlds, label, session } = parts;
  const { fee } = profile.namespaces;
  const ext =
    fee && session.greeting.extURIs.includes(fee) ? { ext: { fee: { commands: [{ name: 'create' as const }] } } } : {};
  const findings: string[] = [];
  for (const [place, tld] of tlds.slice(0, maxTlds).entries()) {
    const count = place === 0 ? profile.limits.maxNamesPerCheck : 1;
    const names = Array.from({ length: count }, (_, at) => `${label}${at}.${tld}`);
    const check = { object: 'domain', verb: 'check', names, ...ext } as const;
    findings.push(
      ...(await ask(parts, `a check of ${count} ${count === 1 ? 'name' : 'names'} under .${tld}`, check, [1000])),
    );
  }
  const name = `${label}.${tlds[0] ?? 'invalid'}`;
  findings.push(
    ...(await ask(parts, 'an info of a name that nobody has', { object: 'domain', verb: 'info', name }, [2303])),
  );
  findings.push(...(await ask(parts, 'a poll', { object: 'poll', verb: 'request' }, [1300, 1301])));
  return findings;
}

async function ask(parts: Walk, what: string, request: ObjectRequest, wanted: readonly number[]): Promise<string[]> {
  const { session, profile, newClTRID } = parts;
  if (isTransform(request)) throw new Error('a walk only asks');
  await sleep(secondMs / profile.limits.commandsPerSecond);
  const clTRID = newClTRID();
  const xml = writeCommand(withFixed(request, profile), clTRID, profile.namespaces);
  const end = await session.exchange(xml, clTRID, profile.timeouts.queryMs);
  if (end.kind !== 'answered') return [`${what} was not answered: ${end.text}`];
  const { results, unreadable } = end.response;
  const { code, msg, extValues = [] } = results[0];
  const said = [`${code} ${msg}`, ...extValues.map(({ reason }) => reason)].filter((text) => text !== '').join('; ');
  return [
    ...(wanted.includes(code) ? [] : [`${what} was answered with ${said}, not with ${wanted.join(' or ')}`]),
    ...(unreadable === undefined ? [] : [`the answer to ${what} cannot be read: ${unreadable}`]),
  ];
}
