import type { Name, RRset } from '@namehold/dns';
import { type Actor, type AppContext, write } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { Zone } from '../../model/zone.ts';
import type { Expected, ZoneChanged } from '../../model/zone-task.ts';
import { openZone } from '../life/open.ts';
import { requireOwnDomain } from '../life/own-domain.ts';
import { zoneLimits } from '../limits.ts';
import { pageOfRRsets, rrsetsAt } from '../rrsets/rrset.sql.ts';
import { lockZone } from '../zone.sql.ts';
import { type CommitOptions, commitDraft } from './commit.ts';
import { ZoneDraft } from './draft.ts';

interface ChangeOptions extends CommitOptions {
  readonly expected?: Expected | undefined;
  /** Names in the change, for which a failed precondition shows the present state. */
  readonly about?: readonly Name[];
}

class DryRunDone extends Error {
  readonly result: unknown;
  constructor(result: unknown) {
    super('dry run');
    this.result = result;
  }
}

export interface Edited<T> extends ZoneChanged {
  readonly value: T;
}

/** The serial that a dry run shows for a zone that does not exist yet. If-Match with it holds as long as there is none. */
const noZone = 0;

/** One transaction on the zone of a domain: open it, let `edit` put its changes on the draft, check, store. */
export async function changeZone<T>(
  ctx: AppContext,
  actor: Actor,
  domain: Domain,
  options: ChangeOptions,
  edit: (draft: ZoneDraft) => Promise<T>,
): Promise<Edited<T>> {
  requireOwnDomain(domain);
  try {
    return await write(ctx, actor, async (tx) => {
      const isNeeded = options.expected !== undefined || options.isDryRun;
      const present = isNeeded ? await lockZone(tx, domain.reseller_id, domain.id) : undefined;
      if (options.expected !== undefined)
        requireExpected(options.expected, present, present ? await presentRRsets(tx, present, options.about) : []);
      const draft = new ZoneDraft(tx, await openZone(ctx, tx, actor, domain));
      const value = await edit(draft);
      const result = { ...(await commitDraft(ctx, actor, draft, options)), value };
      // A dry run may have created the zone: the roll-back removes it again.
      if (options.isDryRun)
        throw new DryRunDone(
          present?.state === 'active'
            ? result
            : { ...result, zone: { ...result.zone, serial: noZone }, previousSerial: noZone },
        );
      return result;
    });
  } catch (error) {
    if (error instanceof DryRunDone) return error.result as Edited<T>;
    throw error;
  }
}

function presentRRsets(
  tx: ZoneDraft['tx'],
  zone: Pick<Zone, 'id'>,
  about: readonly Name[] | undefined,
): Promise<RRset[]> {
  const limit = zoneLimits.rrsetsInPrecondition;
  return about ? rrsetsAt(tx, zone.id, about.slice(0, limit)) : pageOfRRsets(tx, zone.id, { limit });
}

export function requireExpected(expected: Expected, zone: Zone | undefined, rrsets: readonly RRset[]): void {
  const present = zone?.state === 'active' ? zone : undefined;
  const isMet = present
    ? expected === '*' || (expected !== 'none' && expected.includes(present.serial))
    : expected === 'none' || (expected !== '*' && expected.includes(noZone));
  if (isMet) return;
  const sentence = present
    ? `The zone has serial ${present.serial}, not ${typeof expected === 'string' ? expected : expected.join(' or ')}. Read it again.`
    : 'There is no zone yet. Send If-None-Match: * to create it.';
  throw new Refusal('precondition_failed', sentence, {
    ...(present ? { headers: { ETag: `"${present.serial}"` } } : {}),
    facts: {
      present: {
        serial: present?.serial ?? null,
        rrsets: rrsets.map((set) => ({ ...set, records: set.records.map((record) => record.text) })),
      },
    },
  });
}
