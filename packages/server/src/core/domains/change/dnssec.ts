import type { Actor, AppContext } from '../../app-context.ts';
import { badField, notFound, Refusal } from '../../errors.ts';
import type { Domain } from '../../model/domain.ts';
import type { TldRules } from '../../model/tld.ts';
import type { DsRecord } from '../../ports/registry.ts';
import { dsOfKey } from '../registry/ds-of-key.ts';
import { orderUpdate } from './order-update.ts';
import { isSameDs } from './wanted.ts';

/** DNSKEY algorithms that are accepted (IANA registry of DNSSEC algorithm numbers). */
export const dsAlgorithms = [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16, 17, 23, 252, 253, 254] as const;

/** Hex digits of a digest by its type: SHA-1, SHA-256, GOST 94, SHA-384, GOST 2012, SM3 (IANA registry of DS digest types). */
export const digestDigits: Readonly<Record<number, number>> = { 1: 40, 2: 64, 3: 64, 4: 96, 5: 64, 6: 64 };

interface Where {
  readonly domain: string;
  readonly customerId: string | undefined;
}

/** A DS record or a key, as the TLD requires. */
type GivenRecord = Pick<DsRecord, 'algorithm'> & {
  readonly [Part in 'keytag' | 'digesttype' | 'flags' | 'protocol']?: number | undefined;
} & { readonly [Part in 'digest' | 'pubkey']?: string | undefined };

type AddDsOrder = Where & { readonly record: GivenRecord };
type RemoveDsOrder = Where & { readonly record: DsRecord };

export function addDs(ctx: AppContext, actor: Actor, order: AddDsOrder): Promise<string> {
  return orderUpdate(ctx, actor, {
    domain: order.domain,
    customerId: order.customerId,
    change: 'dnssec',
    wanted(row, rules) {
      const record = recordOf(row, rules, order.record);
      if (row.ds.some((present) => isSameDs(present, record))) {
        throw new Refusal('already_exists', `${row.name} already has this DS record.`);
      }
      if (row.ds.length >= rules.dnssec.max) {
        throw badField('digest', `.${row.tld} allows at most ${rules.dnssec.max} DS records.`, 'too_many');
      }
      return { addDs: [record] };
    },
  });
}

export function removeDs(ctx: AppContext, actor: Actor, order: RemoveDsOrder): Promise<string> {
  const record = { ...order.record, digest: order.record.digest.toUpperCase() };
  return orderUpdate(ctx, actor, {
    domain: order.domain,
    customerId: order.customerId,
    change: 'dnssec',
    wanted(row) {
      // Includes the key if there is one, because the registry identifies the record by it.
      const present = row.ds.find((each) => isSameDs(each, record));
      if (!present) throw notFound('DS record');
      return { removeDs: [present] };
    },
  });
}

function recordOf({ name, tld }: Pick<Domain, 'name' | 'tld'>, rules: TldRules, given: GivenRecord): DsRecord {
  const { records } = rules.dnssec;
  if (records === 'none') throw new Refusal('conflict', `.${tld} does not support DNSSEC.`);
  const [wanted, others] = records === 'key' ? [keyParts, dsParts] : [dsParts, keyParts];
  const message = `.${tld} uses ${records === 'key' ? 'keys' : 'DS records'}: send algorithm, ${wanted.join(', ')}.`;
  for (const part of wanted) if (given[part] === undefined) throw badField(part, message, 'required');
  for (const part of others) if (given[part] !== undefined) throw badField(part, message);
  requireAlgorithm(given.algorithm);
  if (records === 'key') return checkKey(name, given.algorithm, given);
  const { keytag = 0, algorithm, digesttype = 0, digest = '' } = given;
  return checkDs({ keytag, algorithm, digesttype, digest });
}

const dsParts = ['keytag', 'digesttype', 'digest'] as const;
const keyParts = ['flags', 'protocol', 'pubkey'] as const;

/** RFC 4034 2.1: flags of a zone key are 256, with 1 added for a secure entry point; the only protocol is 3. */
const keyFlags: readonly (number | undefined)[] = [256, 257];
const dnssecProtocol = 3;
/** RFC 3110: the largest key has 4096 bits plus its exponent and lengths. */
const keyBytes = 600;

function checkKey(name: string, algorithm: number, { flags, protocol, pubkey = '' }: GivenRecord): DsRecord {
  if (!keyFlags.includes(flags)) throw badField('flags', 'Must be 257 (a key signing key) or 256.');
  if (protocol !== dnssecProtocol) throw badField('protocol', `Must be ${dnssecProtocol}.`);
  const text = pubkey.replace(/\s/g, '');
  const bytes = Buffer.from(text, 'base64');
  const isBase64 = text !== '' && bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  if (!isBase64) throw badField('pubkey', 'Must be base64.');
  if (bytes.length > keyBytes) throw badField('pubkey', `Must have at most ${keyBytes} bytes.`);
  return dsOfKey(name, algorithm, { flags: flags!, protocol, pubkey: bytes.toString('base64') });
}

function requireAlgorithm(algorithm: number): void {
  if (!(dsAlgorithms as readonly number[]).includes(algorithm))
    throw badField('algorithm', 'Must be a DNSSEC algorithm.');
}

function checkDs(record: DsRecord): DsRecord {
  const digits = digestDigits[record.digesttype];
  if (digits === undefined) throw badField('digestType', 'Must be a known digest type.');
  const digest = record.digest.replace(/\s/g, '').toUpperCase();
  if (!/^[0-9A-F]+$/.test(digest)) throw badField('digest', 'Must be hexadecimal.');
  if (digest.length !== digits) {
    throw badField(
      'digest',
      `A digest of type ${record.digesttype} must have ${digits} hexadecimal digits, not ${digest.length}.`,
    );
  }
  return { ...record, digest };
}
