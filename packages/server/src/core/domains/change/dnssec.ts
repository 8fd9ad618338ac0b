import { badField, notFound, Refusal } from '../../errors.ts';
import type { Actor, House } from '../../house.ts';
import type { TldRules } from '../../tlds/tld.ts';
import type { DsRecord } from '../registry/registry.ts';
import { orderUpdate } from './order-update.ts';
import { isSameDs } from './wanted.ts';

/** DNSKEY algorithms (IANA registry of DNSSEC algorithm numbers) that are let through. */
export const dsAlgorithms = [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16, 17, 23, 252, 253, 254] as const;

/** Hex digits of a digest by its type: SHA-1, SHA-256, GOST 94, SHA-384, GOST 2012, SM3 (IANA registry of DS digest types). */
export const digestDigits: Readonly<Record<number, number>> = { 1: 40, 2: 64, 3: 64, 4: 96, 5: 64, 6: 64 };

export interface DsOrder {
  readonly domain: string;
  readonly customerId: string | undefined;
  readonly record: DsRecord;
}

export function addDs(house: House, actor: Actor, order: DsOrder): Promise<string> {
  const record = checkDs(order.record);
  return orderUpdate(house, actor, {
    domain: order.domain,
    customerId: order.customerId,
    change: 'dnssec',
    wanted(row, rules) {
      requireDs(rules, row.tld);
      if (row.ds.some((present) => isSameDs(present, record))) {
        throw new Refusal('already_exists', `${row.name} has this DS record already`);
      }
      if (row.ds.length >= rules.dnssec.max) {
        throw badField('digest', `.${row.tld} takes at most ${rules.dnssec.max} DS records`, 'too_many');
      }
      return { addDs: [record] };
    },
  });
}

export function removeDs(house: House, actor: Actor, order: DsOrder): Promise<string> {
  const record = { ...order.record, digest: order.record.digest.toUpperCase() };
  return orderUpdate(house, actor, {
    domain: order.domain,
    customerId: order.customerId,
    change: 'dnssec',
    wanted(row) {
      if (!row.ds.some((present) => isSameDs(present, record))) throw notFound('DS record');
      return { removeDs: [record] };
    },
  });
}

function requireDs(rules: TldRules, tld: string): void {
  if (rules.dnssec.records === 'none') throw new Refusal('conflict', `.${tld} has no DNSSEC`);
  if (rules.dnssec.records === 'key') {
    throw new Refusal('not_available_yet', `.${tld} takes DNSKEY data instead of DS records; that is not offered yet`);
  }
}

function checkDs(record: DsRecord): DsRecord {
  const digits = digestDigits[record.digesttype];
  if (digits === undefined) throw badField('digestType', 'is not a known digest type');
  const digest = record.digest.replace(/\s/g, '').toUpperCase();
  if (!/^[0-9A-F]+$/.test(digest)) throw badField('digest', 'must be hexadecimal');
  if (digest.length !== digits) {
    throw badField(
      'digest',
      `a digest of type ${record.digesttype} has ${digits} hexadecimal digits, not ${digest.length}`,
    );
  }
  if (!(dsAlgorithms as readonly number[]).includes(record.algorithm))
    throw badField('algorithm', 'is not a DNSSEC algorithm');
  return { ...record, digest };
}
