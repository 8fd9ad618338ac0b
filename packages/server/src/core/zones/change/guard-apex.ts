import type { RRset } from '@namehold/dns';
import { type Actor, type AppContext, actingId } from '../../app-context.ts';
import { Refusal } from '../../errors.ts';
import type { GuardedKind } from '../../model/approval.ts';
import { childHosts, delegationOf } from '../life/life.sql.ts';
import { ownNameservers } from '../life/template.ts';
import type { Rewrite } from './diff.ts';
import type { ZoneDraft } from './draft.ts';

/** RFC 7344, RFC 7477: with these a zone requests a change of its DS records, nameservers or their addresses from its parent. */
const parentRecordKinds: Readonly<Record<string, GuardedKind>> = { CDS: 'ds', CDNSKEY: 'ds', CSYNC: 'nameservers' };

interface Added {
  readonly name: string;
  readonly type: string;
  readonly records: readonly string[];
}

/**
 * If nameservers or DS records require approval, one key must not get the same effect through the zone, because resolvers prefer its
 * data to the delegation. The zone may contain what was approved: the nameservers of the domain and the addresses of its child
 * nameservers.
 */
export async function guardApex(
  ctx: AppContext,
  actor: Actor,
  { tx, zone }: Pick<ZoneDraft, 'tx' | 'zone'>,
  changed: readonly Rewrite[],
): Promise<void> {
  const isAddress = (type: string) => type === 'A' || type === 'AAAA';
  const atApex = ({ name, type }: Added) => name === zone.name && (type === 'NS' || type in parentRecordKinds);
  const about = changed
    .map(({ before, after }) => newIn(after, before))
    .filter((added) => added.records.length > 0 && (isAddress(added.type) || atApex(added)));
  if (actingId(actor) === null || about.length === 0) return;
  const delegation = await delegationOf(tx, zone);
  for (const added of about) {
    const kind = parentRecordKinds[added.type] ?? 'nameservers';
    if (!delegation.second_yes.includes(kind)) continue;
    const hosts = delegation.nameservers.map((host) => `${host.toLowerCase()}.`);
    if (isAddress(added.type) && !hosts.includes(added.name)) continue;
    const agreed =
      added.type === 'NS'
        ? [...ownNameservers(ctx.config), ...hosts]
        : isAddress(added.type)
          ? (await childHosts(tx, zone.domain_id, [added.name.slice(0, -1)])).flatMap((host) => host.addresses)
          : [];
    const strange = added.records.filter((record) => !agreed.includes(record.toLowerCase()));
    if (strange.length > 0) throw approvalRequired({ ...added, records: strange }, kind);
  }
}

function newIn(after: RRset | undefined, before: RRset | undefined): Added {
  const known = new Set(before?.records.map((record) => record.text));
  const records = (after?.records ?? []).map((record) => record.text).filter((text) => !known.has(text));
  return { name: after?.name ?? '', type: after?.type ?? '', records };
}

function approvalRequired({ name, type, records }: Added, kind: GuardedKind): Refusal {
  const way =
    type in parentRecordKinds
      ? `a zone may request this from its parent only if ${kind} need no approval`
      : 'change the nameservers of the domain first, with that approval';
  return new Refusal('conflict', `${name} ${type}: this account requires approval for ${kind}; ${way}.`, {
    facts: { change: kind, records: records.slice(0, 10) },
  });
}
