import type { RegistryProfile } from '@namehold/epp';
import { z } from 'zod';

const suffix = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/, 'must be a TLD in lower case, without a leading dot');

/** Settings of a registry with the extension keysys (CentralNic Reseller). What its documents leave open is a setting. */
export const keysysSchema = z.strictObject({
  /** TLDs without an explicit renewal: a renewal is ordered by the renewal mode, and carried out and charged on its day. */
  renewsByMode: z.array(suffix).max(2_000).default([]),
  renewOnceMode: z.enum(['RENEWONCETHENAUTOEXPIRE', 'RENEWONCE']).default('RENEWONCETHENAUTOEXPIRE'),
  /** The meaning of DEFAULT, which the account settings there define. */
  defaultMode: z.enum(['AUTORENEW', 'AUTOEXPIRE']).default('AUTORENEW'),
  /** `punDate`: the end of the paid term is another date than that of the registry. */
  paidUntil: z.enum(['exDate', 'punDate']).default('exDate'),
  /** How a domain is locked: by the EPP status, or by the field `transferlock`. */
  lock: z.enum(['status', 'transferlock']).default('status'),
  /** It is known that a transfer request accepts a renewal mode. Otherwise it is set after the transfer. */
  transferSetsMode: z.boolean().default(false),
});

export type KeysysSettings = z.output<typeof keysysSchema>;

/** Undefined: the registry does not use the extension. */
export function keysysSettings(profile: RegistryProfile & { readonly keysys?: unknown }): KeysysSettings | undefined {
  return profile.namespaces.keysys === undefined ? undefined : keysysSchema.parse(profile.keysys ?? {});
}

/** The longest suffix in the list decides, as with the rules of a TLD. */
export const renewsByMode = ({ renewsByMode: tlds }: KeysysSettings, name: string): boolean =>
  tlds.some((tld) => name.toLowerCase().endsWith(`.${tld}`));
