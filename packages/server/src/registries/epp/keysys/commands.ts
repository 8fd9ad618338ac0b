import { isElement, type KeysysFields, type XmlElement } from '@namehold/epp';
import { addYears, utcDate } from '../../../core/model/domain.ts';
import type {
  CommandContext,
  DomainChange,
  DomainOrder,
  RegistryDomain,
  RegistryFee,
  Reply,
  TransferParties,
} from '../../../core/ports/registry.ts';
import type { Sender } from '../driver.ts';
import { reply } from '../reply.ts';
import type { KeysysSettings } from './settings.ts';

/** `ext.keysys` of a command; nothing if there are no fields. */
export const asKeysys = (fields: KeysysFields): { readonly keysys?: KeysysFields } =>
  Object.keys(fields).length > 0 ? { keysys: fields } : {};

const flag = (isOn: boolean) => (isOn ? '1' : '0');

const privacy = (isPrivate: boolean | undefined): KeysysFields =>
  isPrivate === undefined ? {} : { 'whois-privacy': flag(isPrivate) };

const noAutoRenewal = { renewalmode: 'AUTOEXPIRE' } as const;

/** The upstream's own renewal is off from the start, so that only we renew. */
export const createFields = ({ isPrivate }: Pick<DomainOrder, 'isPrivate'>): KeysysFields => ({
  ...noAutoRenewal,
  ...(isPrivate ? privacy(true) : {}),
});

/** Roles and nameservers are numbered. */
export function transferFields(settings: KeysysSettings, order: TransferParties): KeysysFields {
  const { registrant, contacts = {}, nameservers = [] } = order;
  const named = { owner: registrant, admin: contacts.admin, tech: contacts.tech, billing: contacts.billing };
  return {
    ...Object.fromEntries(Object.entries(named).flatMap(([role, id]) => (id ? [[`${role}contact0`, id]] : []))),
    ...Object.fromEntries(nameservers.map(({ hostname }, at) => [`nameserver${at}`, hostname])),
    ...(settings.transferSetsMode ? noAutoRenewal : {}),
  };
}

const lockStatus = 'clientTransferProhibited';

/** The change without what the extension carries instead, and the fields that carry it. */
export function updateFields(settings: KeysysSettings, change: DomainChange): [DomainChange, KeysysFields] {
  const { autoRenew, isPrivate } = change;
  const fields: Record<string, string> = { ...privacy(isPrivate) };
  if (autoRenew !== undefined) fields.renewalmode = autoRenew ? 'AUTORENEW' : noAutoRenewal.renewalmode;
  if (settings.lock === 'status') return [change, fields];
  const { addStatuses = [], removeStatuses = [] } = change;
  if (addStatuses.includes(lockStatus)) fields.transferlock = flag(true);
  if (removeStatuses.includes(lockStatus)) fields.transferlock = flag(false);
  const others = (statuses: readonly string[]) => statuses.filter((status) => status !== lockStatus);
  return [{ ...change, addStatuses: others(addStatuses), removeStatuses: others(removeStatuses) }, fields];
}

/** Fields of the catalogue for this extension become part of the one element that a command may have. */
export function withStatedFields(
  ns: string | undefined,
  elements: readonly XmlElement[],
): { readonly fields: KeysysFields; readonly other: XmlElement[] } {
  const own = elements.filter((each) => each.ns === ns);
  const fields = own
    .flatMap(({ children }) => children.filter(isElement))
    .flatMap(({ children }) => children.filter(isElement))
    .map(({ name, children }) => [name, children.filter((each) => typeof each === 'string').join('')] as const);
  return { fields: Object.fromEntries(fields), other: elements.filter((each) => each.ns !== ns) };
}

export interface Renewal {
  readonly name: string;
  readonly currentExpiry: string;
  readonly years: number;
  readonly fee: RegistryFee | undefined;
}

const refused = (code: number, text: string, own?: { readonly field: string; readonly code: 'invalid_argument' }) =>
  ({ kind: 'refused', evidence: { code, text, ...(own ? { own } : {}) } }) as const;

/** A domain as the driver shows it, and as the registry does. */
export interface Seen {
  readonly view: RegistryDomain;
  readonly exDate: Date | null;
  readonly isRenewalOrdered: boolean;
}

type KeysysSender = Sender & { readonly keysys: KeysysSettings };
type Look = (name: string) => Promise<Reply<Seen | null>>;

/** The domain, if its date is the one that the order was made with. Nothing has been sent then. */
async function lookFor(
  { name, currentExpiry }: Renewal,
  look: Look,
): Promise<Seen | Exclude<Reply<never>, { kind: 'done' }>> {
  const shown = await look(name);
  if (shown.kind === 'unknown') return { kind: 'unsent', why: shown.why };
  if (shown.kind !== 'done') return shown;
  const { view } = shown.data ?? {};
  if (!view?.isOurs || !view.expiresAt) return refused(2303, `${name} is not in our account`);
  const present = utcDate(view.expiresAt);
  return present === currentExpiry ? shown.data! : refused(2306, `${name} is paid until ${present}`);
}

const field = (named: string) => ({ field: named, code: 'invalid_argument' }) as const;

/**
 * A TLD without an explicit renewal: the renewal mode orders one renewal. Setting it twice orders nothing twice, and the date is
 * compared before, because the command itself carries none.
 */
export async function renewByMode(
  s: KeysysSender,
  renewal: Renewal,
  look: Look,
  context: CommandContext,
): Promise<Reply<{ readonly expiresAt: Date | null }>> {
  const { name, years, fee } = renewal;
  if (years !== 1) return refused(2004, `${name} can be renewed by one year at a time`, field('years'));
  if (fee) return refused(2004, `a renewal of ${name} cannot state a price`, field('max_price'));
  const seen = await lookFor(renewal, look);
  if ('kind' in seen) return seen;
  if (seen.isRenewalOrdered) return refused(2105, `a renewal of ${name} is ordered and not yet carried out`);
  const { renewOnceMode: renewalmode } = s.keysys;
  const expiresAt = addYears(seen.view.expiresAt!, 1);
  return reply({
    send: () =>
      s.pool.send({ object: 'domain', verb: 'update', name, ext: { keysys: { renewalmode } } }, s.options(context)),
    read: () => ({ expiresAt }),
  });
}

/** The date that the registry compares, where the paid term ends on another one. */
export async function dateToSend(
  s: KeysysSender,
  renewal: Renewal,
  look: Look,
): Promise<string | Exclude<Reply<never>, { kind: 'done' }>> {
  if (s.keysys.paidUntil === 'exDate') return renewal.currentExpiry;
  const seen = await lookFor(renewal, look);
  if ('kind' in seen) return seen;
  return seen.exDate ? utcDate(seen.exDate) : renewal.currentExpiry;
}
