import { allTenants } from '@namehold/postgres';
import ipaddr from 'ipaddr.js';
import type { AppContext } from '../app-context.ts';
import { withJobLease } from '../jobs/with-job-lease.ts';
import { isLocal, usesPublicNetwork } from '../uses-public-network.ts';
import { refusesFrame } from './framing.ts';
import { hostName } from './rule.ts';
import { edgeAddresses } from './target.ts';
import { noteTarget, type TargetToCheck, targetsToCheck } from './target-check.sql.ts';

const hour = 3_600_000;
/** Together with the interval of the job this limits checks to five a second, with one check of a host at a time. */
const atOnce = 10;
const againMs = { warned: hour, unknown: hour, fine: 7 * 24 * hour } as const;

/** Checks targets of forwarding that are new or due. Runs in one process at a time. */
export async function checkTargets(ctx: AppContext): Promise<void> {
  if (ctx.config.targetChecks === 'off' || !usesPublicNetwork(ctx.config)) return;
  const db = ctx.db.as(allTenants);
  const due = await targetsToCheck(db, atOnce);
  if (due.length === 0) return;
  await withJobLease(ctx, 'forwarding-targets', async () => {
    await Promise.all(
      due.map(async (row) => {
        const found = await findings(ctx, row);
        const again = found === undefined ? 'unknown' : found.length > 0 ? 'warned' : 'fine';
        const note = { found, now: ctx.wall.now(), againMs: againMs[again] };
        await noteTarget(ctx.db.autocommit(allTenants), row, note);
      }),
    );
  });
}

/** SSRF protection: only public addresses are probed. Returns findings for the user, one sentence each. Undefined: no result. */
async function findings(ctx: AppContext, row: TargetToCheck): Promise<string[] | undefined> {
  const url = new URL(row.target.replace('{sub}', 'www'));
  const literal = row.host.replace(/^\[|\]$/g, '');
  const isSandbox = ctx.config.mode === 'sandbox';
  const addresses = ipaddr.isValid(literal) ? [literal] : await ctx.lookup.addresses(row.host).catch(() => undefined);
  if (addresses === undefined) return undefined;
  const [first] = addresses;
  if (first === undefined) return [`${row.host} does not resolve: it has no address`];
  // The addresses are not shown, because the resolver may know names of the operator's internal network.
  if (isSandbox ? !addresses.every(isLocal) : !addresses.every((each) => ipaddr.process(each).range() === 'unicast'))
    return isSandbox ? undefined : [`${row.host} resolves to an address that is not publicly reachable`];
  const edges = new Set(edgeAddresses(ctx.config).map((each) => ipaddr.process(each).toString()));
  if (!isSandbox && addresses.some((each) => edges.has(ipaddr.process(each).toString())))
    return [`${row.host} points to the forwarding service itself`];
  if (row.frame_host === null) return [];
  // Other ports are not probed, so that the service cannot be used as a port scanner.
  if (url.port !== '' && !isSandbox) return [];
  return framing(ctx, url, first, hostName(row.frame_host.replace('*', 'any'), row.domain_name));
}

async function framing({ probe }: AppContext, url: URL, address: string, pageHost: string): Promise<string[]> {
  const answer = await probe.request(url, address);
  if (!answer) return [`${url.host} does not answer by HTTPS: the frame stays empty`];
  const refusal = refusesFrame(answer, pageHost);
  return [
    ...(answer.isTrusted ? [] : [`browsers do not trust the certificate of ${url.host}: the frame stays empty`]),
    ...(answer.status >= 400 ? [`${url.host} answers ${answer.status}`] : []),
    ...(refusal === undefined ? [] : [`${url.host} forbids framing (${refusal}): the frame stays empty`]),
  ];
}
