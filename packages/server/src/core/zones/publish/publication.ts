import { compareSerials } from '@namehold/dns';
import type { Reader } from '@namehold/postgres';
import type { Zone } from '../../model/zone.ts';
import { type LastAnswer, lastAnswers } from './publication.sql.ts';

type PublicationState = 'published' | 'behind' | 'unreachable' | 'unknown';

export interface NameserverPublication {
  readonly name: string;
  readonly serial: number | null;
  readonly state: PublicationState;
  readonly publishedAt: Date | null;
  readonly checkedAt: Date | null;
  /** From the change to the answer; for a nameserver that is behind, the time since the change. */
  readonly lagMs: number | null;
  readonly error: string | null;
}

/** The last reported serial of this zone at each nameserver that serves our zones. */
export async function publicationOf(db: Reader, zone: Zone, now: Date): Promise<NameserverPublication[]> {
  const rows = await lastAnswers(db, zone.id);
  return rows.map((row) => nameserverState(row, zone, now));
}

function nameserverState(row: LastAnswer, zone: Pick<Zone, 'serial' | 'changed_at'>, now: Date): NameserverPublication {
  const serial = row.serial === null ? null : Number(row.serial);
  // A higher serial than ours comes from a signer; RFC 1982 defines which of two is newer.
  const hasIt = serial !== null && (compareSerials(serial, zone.serial) ?? -1) >= 0;
  const state = hasIt ? 'published' : row.error !== null ? 'unreachable' : serial === null ? 'unknown' : 'behind';
  const until = hasIt ? row.published_at : now;
  return {
    name: row.id,
    serial,
    state,
    publishedAt: hasIt ? row.published_at : null,
    checkedAt: row.checked_at,
    lagMs: until === null ? null : Math.max(0, until.getTime() - zone.changed_at.getTime()),
    error: row.error,
  };
}

/** A change is published when every nameserver answers with it. */
export function overallState(nameservers: readonly NameserverPublication[]): PublicationState {
  if (nameservers.length === 0) return 'unknown';
  const worst: readonly PublicationState[] = ['unreachable', 'behind', 'unknown', 'published'];
  return worst.find((state) => nameservers.some((one) => one.state === state))!;
}
