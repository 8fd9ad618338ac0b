import { isDeepStrictEqual } from 'node:util';
import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, Refusal } from '../errors.ts';
import { appendEvent } from '../events/append.ts';
import { lifeEvent } from '../events/life-event.ts';
import type { Domain } from '../model/domain.ts';
import { changeZone, type Edited } from '../zones/change/change-zone.ts';
import type { ZoneDraft } from '../zones/change/draft.ts';
import {
  type ForwardingRow,
  findForwarding,
  lockForLoopCheck,
  lockForwarding,
  saveForwarding,
} from './forwarding.sql.ts';
import { refuseLoops } from './loops.ts';
import { type ForwardingStatus, statusOf } from './read.ts';
import type { ReadRules } from './read-rule.ts';
import { claimHosts, delegatedHosts, releaseHosts } from './records.ts';
import { activeHosts, forwardingLimits, type Rule } from './rule.ts';
import { edgeAddresses } from './target.ts';

/** Versions from If-Match; `*`: any. */
export type ExpectedVersion = readonly number[] | '*';

interface ForwardingOrder {
  /** Computes the new rules from the current ones. Called again after a concurrent change. */
  edit(present: readonly Rule[]): ReadRules;
  readonly expected?: ExpectedVersion | undefined;
  readonly replacesRecords: boolean;
  readonly isDryRun: boolean;
}

export interface ForwardingChanged {
  readonly status: ForwardingStatus;
  readonly isDryRun: boolean;
  readonly warnings: readonly string[];
}

const tries = 5;

/** Changes rules and records of one domain in one transaction. */
export async function setForwarding(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: ForwardingOrder,
): Promise<ForwardingChanged> {
  if (edgeAddresses(ctx.config).length === 0)
    throw new Refusal('not_available_yet', 'URL forwarding is not offered: your provider has not set it up.');
  for (let attempt = 1; ; attempt++) {
    const present = await findForwarding(ctx.db.as(domain.reseller_id), domain);
    requireVersion(order.expected, present);
    const read = order.edit(present.rules);
    if (read.rules.length > forwardingLimits.rulesPerDomain)
      throw badField('rules', `A domain can have at most ${forwardingLimits.rulesPerDomain} rules.`, 'too_many');
    const leadsToUs = await refuseLoops(ctx.db.as(allTenants), domain.name, { before: present.rules, ...read });
    try {
      return await store(ctx, actor, domain, { ...order, leadsToUs }, present, read);
    } catch (error) {
      // Another request changed the rules since they were read: compute them again.
      if (!(error instanceof Overtaken) || attempt >= tries) throw error;
    }
  }
}

class Overtaken extends Refusal {
  constructor() {
    super('conflict', 'Other requests are changing the forwarding of this domain. Try again.');
  }
}

function requireVersion(expected: ExpectedVersion | undefined, { version }: ForwardingRow): void {
  if (expected === undefined || expected === '*' || expected.includes(version)) return;
  throw new Refusal(
    'precondition_failed',
    `The forwarding has version ${version}, not ${expected.join(' or ')}. Read it again.`,
    {
      facts: { present: { version } },
    },
  );
}

async function store(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  order: ForwardingOrder & { readonly leadsToUs: boolean },
  present: ForwardingRow,
  read: ReadRules,
): Promise<ForwardingChanged> {
  const { isDryRun } = order;
  const { rules, warnings } = read;
  const now = ctx.wall.now();
  const isChanged = !isDeepStrictEqual(rules, present.rules);
  const version = isChanged && !isDryRun ? present.version + 1 : present.version;
  const row = { rules: [...rules], version, changed_at: isChanged ? now : present.changed_at };
  // Without rules before and after, the domain needs no zone.
  if (!isChanged && rules.length === 0) {
    const status = await statusOf(ctx, ctx.db.as(domain.reseller_id), domain, row);
    return { status, isDryRun, warnings };
  }
  const options = { kind: 'change', comment: 'URL forwarding', isDryRun } as const;
  return changedOf(
    await changeZone(ctx, actor, domain, options, async (draft) => {
      if (order.leadsToUs) {
        await lockForLoopCheck(draft.tx);
        await refuseLoops(ctx.db.as(allTenants), domain.name, { before: present.rules, ...read });
      }
      if ((await lockForwarding(draft.tx, domain)).version !== present.version) throw new Overtaken();
      await moveRecords(ctx, draft, present.rules, rules, order.replacesRecords);
      if (isChanged) {
        if (!(await saveForwarding(draft.tx, domain, rules, { version: present.version, now }))) throw new Overtaken();
        await recordForwarding(ctx, actor, draft, domain, { before: present, rules });
      }
      const ofZone = draft.warnings.map(({ name, type, reason }) => `${name} ${type}: ${reason}`);
      return { status: await statusOf(ctx, draft.tx, domain, row), isDryRun, warnings: [...warnings, ...ofZone] };
    }),
  );
}

/** The result without publication, if the zone did not change. */
export function changedOf({ value, isChanged }: Edited<ForwardingChanged>): ForwardingChanged {
  return isChanged ? { ...value, status: { ...value.status, isPublished: false } } : value;
}

async function moveRecords(
  ctx: AppContext,
  draft: ZoneDraft,
  before: readonly Rule[],
  after: readonly Rule[],
  replacesRecords: boolean,
): Promise<void> {
  const wanted = activeHosts(after);
  const had = activeHosts(before);
  await releaseHosts(
    draft,
    had.filter((host) => !wanted.includes(host)),
  );
  await refuseDelegated(
    draft,
    wanted.filter((host) => !had.includes(host)),
  );
  // Also for existing records, because the addresses of the edge may have changed.
  await claimHosts(draft, ctx.config, wanted, replacesRecords);
}

/** Requests for a delegated host never reach the edge. */
async function refuseDelegated(draft: ZoneDraft, hosts: readonly string[]): Promise<void> {
  const [first] = await delegatedHosts(draft.tx, draft.zone, hosts);
  if (!first) return;
  const [host, cut] = first;
  throw badField(
    'rules',
    `${host}: ${cut} is delegated to other nameservers by its NS records. Set up the forwarding there.`,
  );
}

async function recordForwarding(
  ctx: AppContext,
  actor: Actor,
  { tx }: ZoneDraft,
  domain: Domain,
  { before, rules }: { readonly before: ForwardingRow; readonly rules: readonly Rule[] },
): Promise<void> {
  const targets = (some: readonly Rule[]) => some.map(({ host, path, target }) => ({ host, path, target }));
  await audit(ctx, tx, actor, {
    action: 'forwarding.change',
    objectType: 'domain',
    objectId: domain.id,
    before: { version: before.version, rules: targets(before.rules) },
    after: { version: before.version + 1, rules: targets(rules) },
  });
  const hosts = activeHosts(rules);
  const event =
    hosts.length > 0
      ? lifeEvent(domain, 'forwarding.changed', { version: before.version + 1, hosts, rules: rules.length })
      : lifeEvent(domain, 'forwarding.ended', { version: before.version + 1, cause: 'off' });
  await appendEvent(ctx, tx, { ...event, requestId: actor.requestId });
}
