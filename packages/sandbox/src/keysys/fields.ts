import { addDays } from '@namehold/base';
import type { KeysysAnswer, KeysysFields, XmlElement } from '@namehold/epp';
import type { DomainRecord } from '../domain/record.ts';
import { refuse } from '../registry/refusal.ts';
import type { Call, Endpoint } from '../registry/registry.ts';

/** What an upstream like CentralNic Reseller keeps about a domain. */
export interface KeysysState {
  readonly renewalmode: RenewalMode;
  readonly transferlock: '0' | '1';
  readonly 'whois-privacy'?: '0' | '1';
}

const modes = [
  'DEFAULT',
  'AUTORENEW',
  'AUTOEXPIRE',
  'AUTODELETE',
  'RENEWONCE',
  'RENEWONCETHENAUTOEXPIRE',
  'RENEWONCETHENAUTODELETE',
] as const;
type RenewalMode = (typeof modes)[number];

const newState: KeysysState = { renewalmode: 'DEFAULT', transferlock: '0' };
const flags = ['transferlock', 'whois-privacy'] as const;
const changeable: readonly string[] = ['renewalmode', ...flags];
const roles = ['owner', 'admin', 'tech', 'billing'];

interface Extended {
  readonly ext?: { readonly keysys?: KeysysFields; readonly other?: readonly XmlElement[] } | undefined;
}

/** The fields of a command; undefined at another endpoint. Elements in another order were not read as fields. */
export function fieldsOf({ registry }: Pick<Call, 'registry'>, { ext }: Extended): KeysysFields | undefined {
  const { keysys } = registry.endpoint;
  if (keysys === undefined) return undefined;
  if (ext?.other?.some(({ ns }) => ns === keysys.uri))
    refuse(2001, 'the elements of keysys are not in alphabetical order');
  return ext?.keysys ?? {};
}

function refuseOthers(fields: KeysysFields, known: (name: string) => boolean): void {
  const unknown = Object.keys(fields).find((name) => !known(name));
  if (unknown !== undefined) refuse(2306, `the command has no parameter ${unknown}`);
}

/** The state after a create or update; null: not at an upstream. */
export function changedState(
  call: Pick<Call, 'registry'>,
  command: Extended,
  before: KeysysState | null,
): KeysysState | null {
  const fields = fieldsOf(call, command);
  if (fields === undefined) return before;
  refuseOthers(fields, (name) => changeable.includes(name));
  const mode = fields.renewalmode;
  if (mode !== undefined && !(modes as readonly string[]).includes(mode)) refuse(2306, `${mode} is not a renewal mode`);
  for (const name of flags)
    if (fields[name] !== undefined && !/^[01]$/.test(fields[name])) refuse(2306, `${name} is 0 or 1`);
  return { ...(before ?? newState), ...fields } as KeysysState;
}

/** Contacts and nameservers of a transfer order. */
export interface Parties {
  readonly registrant?: string;
  readonly contacts: readonly { readonly type: string; readonly id: string }[];
  readonly hosts: readonly string[];
}

export function partiesOf(call: Pick<Call, 'registry'>, command: Extended): Parties | null {
  const fields = fieldsOf(call, command);
  if (fields === undefined) return null;
  const contactOf = (role: string) => fields[`${role}contact0`];
  const isHost = (name: string) => /^nameserver\d{1,2}$/.test(name);
  refuseOthers(fields, (name) => isHost(name) || roles.some((role) => name === `${role}contact0`));
  const [owner, ...others] = roles.map((role) => [role, contactOf(role)] as const);
  return {
    ...(owner?.[1] ? { registrant: owner[1] } : {}),
    contacts: others.flatMap(([type, id]) => (id ? [{ type, id }] : [])),
    hosts: Object.keys(fields)
      .filter(isHost)
      .map((name) => fields[name]!.toLowerCase()),
  };
}

/** Domains are renewed after their expiry, under TLDs without an explicit renewal before it. */
const renewalDays = { explicit: 35, byMode: -5 };

export function keysysInfo(endpoint: Endpoint, domain: DomainRecord): KeysysAnswer | undefined {
  const { keysys } = endpoint;
  if (keysys === undefined || domain.keysys === null) return undefined;
  const days = keysys.renewsByMode.includes(domain.tld) ? renewalDays.byMode : renewalDays.explicit;
  return {
    type: 'infData',
    fields: {
      renDate: addDays(domain.expiresAt, days).toISOString(),
      punDate: domain.expiresAt.toISOString(),
      'domain-roid': `${domain.id}_DOMAIN-SANDBOX`,
      transfermode: 'DEFAULT',
      ...domain.keysys,
    },
  };
}

/** What happens at the end of the term, and the mode after it. Undefined: the rules of the TLD decide. */
export function endOfTerm(
  state: KeysysState | null,
): { readonly renews: boolean; readonly next: KeysysState } | undefined {
  if (state === null) return undefined;
  const then = (renewalmode: RenewalMode) => ({ renews: true, next: { ...state, renewalmode } });
  if (state.renewalmode === 'RENEWONCE') return then('DEFAULT');
  if (state.renewalmode === 'RENEWONCETHENAUTOEXPIRE') return then('AUTOEXPIRE');
  if (state.renewalmode === 'RENEWONCETHENAUTODELETE') return then('AUTODELETE');
  return { renews: state.renewalmode === 'DEFAULT' || state.renewalmode === 'AUTORENEW', next: state };
}

/** A domain that comes by transfer has the default mode of the account. */
export const afterTransfer = (endpointHasKeysys: boolean): KeysysState | null => (endpointHasKeysys ? newState : null);
