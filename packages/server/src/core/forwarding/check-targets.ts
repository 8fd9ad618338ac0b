import { everyTenant } from '@namehold/base';
import ipaddr from 'ipaddr.js';
import type { House } from '../house.ts';
import { oneAtATime } from '../jobs/one-at-a-time.ts';
import { isLocal, looksOut } from '../looks-out.ts';
import { refusesFrame } from './framing.ts';
import { hostName } from './rule.ts';
import { edgeAddresses } from './target.ts';
import { noteTarget, type TargetToCheck, targetsToCheck } from './target-check.sql.ts';

const hour = 3_600_000;
/** With the pace of the job, the budget of this: five a second, and one host never by two at once. */
const atOnce = 10;
const againMs = { warned: hour, unknown: hour, fine: 7 * 24 * hour } as const;

/** Looks at targets of forwarding that were set, or whose time has come again. One process at a time does it. */
export async function checkTargets(house: House): Promise<void> {
  if (house.config.targetChecks === 'off' || !looksOut(house.config)) return;
  const db = house.db.as(everyTenant);
  const due = await targetsToCheck(db, atOnce);
  if (due.length === 0) return;
  await oneAtATime(house, 'forwarding-targets', async () => {
    await Promise.all(
      due.map(async (row) => {
        const found = await findings(house, row);
        const again = found === undefined ? 'unknown' : found.length > 0 ? 'warned' : 'fine';
        const note = { found, now: house.wall.now(), againMs: againMs[again] };
        await noteTarget(house.db.alone(everyTenant), row, note);
      }),
    );
  });
}

/** What somebody who set the target should know, a sentence each; undefined: nothing can be said. */
async function findings(house: House, row: TargetToCheck): Promise<string[] | undefined> {
  const url = new URL(row.target.replace('{sub}', 'www'));
  const literal = row.host.replace(/^\[|\]$/g, '');
  const isSandbox = house.config.mode === 'sandbox';
  const addresses = ipaddr.isValid(literal) ? [literal] : await house.lookup.addresses(row.host).catch(() => undefined);
  if (addresses === undefined) return undefined;
  const [first] = addresses;
  if (first === undefined) return [`${row.host} does not resolve: it has no address`];
  // What it resolves to is not told: the resolver may know names of the operator's own network.
  if (isSandbox ? !addresses.every(isLocal) : !addresses.every((each) => ipaddr.process(each).range() === 'unicast'))
    return isSandbox ? undefined : [`${row.host} resolves to an address that nobody outside can reach`];
  const edges = new Set(edgeAddresses(house.config).map((each) => ipaddr.process(each).toString()));
  if (!isSandbox && addresses.some((each) => edges.has(ipaddr.process(each).toString())))
    return [`${row.host} leads to the forwarding service itself`];
  if (row.frame_host === null) return [];
  // Another port is not knocked at: nobody shall look for open ones through us.
  if (url.port !== '' && !isSandbox) return [];
  return framing(house, url, first, hostName(row.frame_host.replace('*', 'any'), row.domain_name));
}

async function framing({ probe }: House, url: URL, address: string, pageHost: string): Promise<string[]> {
  const answer = await probe.ask(url, address);
  if (!answer) return [`${url.host} does not answer by https: the frame stays empty`];
  const refusal = refusesFrame(answer, pageHost);
  return [
    ...(answer.isTrusted ? [] : [`browsers do not believe the certificate of ${url.host}: the frame stays empty`]),
    ...(answer.status >= 400 ? [`${url.host} answers ${answer.status}`] : []),
    ...(refusal === undefined
      ? []
      : [`${url.host} does not allow to be shown in a frame (${refusal}): it stays empty`]),
  ];
}
