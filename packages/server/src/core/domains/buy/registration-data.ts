import { badField } from '../../errors.ts';
import type { House } from '../../house.ts';
import type { RegistrationRules, Tld } from '../../tlds/tld.ts';
import type { ClaimsNotice, RegistrationData } from '../registry/registry.ts';
import { inTime } from '../search/refuse-taken.ts';

/** As an order has it: parts that may be missing, and times as text. */
export interface GivenRegistration {
  readonly allocationToken?: string | undefined;
  readonly idnTable?: string | undefined;
  readonly claimsNoticeId?: string | undefined;
  readonly claimsNotAfter?: string | undefined;
  readonly claimsAcceptedAt?: string | undefined;
  readonly claimsValidator?: string | undefined;
  readonly signedMark?: string | undefined;
}

interface Ordered {
  readonly name: string;
  readonly tld: Tld;
  readonly registryId: string;
}

/** What the TLD asks for must be there, and what it does not ask for must not: it would be lost without a word. */
export async function checkRegistrationData(
  house: House,
  ordered: Ordered,
  given: GivenRegistration,
): Promise<RegistrationData> {
  const { name, tld } = ordered;
  const rules = tld.rules.registration ?? {};
  const claims = claimsOf(tld, given, house.clock.now());
  if (rules.launch === 'claims' && !claims) await refuseClaimed(house, ordered);
  return {
    allocationToken: tokenOf(tld, rules, given.allocationToken),
    idnTable: tableOf(name, tld, rules, given.idnTable),
    claims,
    signedMark: markOf(tld, rules, given.signedMark),
  };
}

function tokenOf(tld: Tld, rules: RegistrationRules, token: string | undefined): string | undefined {
  if (token !== undefined && !rules.allocation_token)
    throw badField('allocationToken', `.${tld.name} takes no allocation token: leave it out`);
  if (token === undefined && rules.allocation_token === 'required')
    throw badField('allocationToken', `.${tld.name} registers names only with a token of the registry`, 'required');
  return token;
}

function tableOf(name: string, tld: Tld, rules: RegistrationRules, table: string | undefined): string | undefined {
  const { idn_tables: tables = [] } = rules;
  const isAsked = name.startsWith('xn--') && tables.length > 0;
  if (!isAsked && table !== undefined)
    throw badField('idnTable', `${name} needs no table of letters under .${tld.name}: leave it out`);
  if (!isAsked) return undefined;
  const chosen = table ?? (tables.length === 1 ? tables[0] : undefined);
  const words = `.${tld.name} wants to know the table of the letters: one of ${tables.join(', ')}`;
  if (chosen === undefined) throw badField('idnTable', words, 'required');
  if (!tables.includes(chosen)) throw badField('idnTable', words);
  return chosen;
}

const claimParts = ['claimsNoticeId', 'claimsNotAfter', 'claimsAcceptedAt'] as const;

function claimsOf(tld: Tld, given: GivenRegistration, now: Date): ClaimsNotice | undefined {
  const sent = [...claimParts, 'claimsValidator' as const].find((part) => given[part] !== undefined);
  if (sent === undefined) return undefined;
  if (tld.rules.registration?.launch !== 'claims')
    throw badField(sent, `.${tld.name} is in no claims phase: leave it out`);
  for (const part of claimParts)
    if (given[part] === undefined)
      throw badField(part, 'belongs to the notice that the holder has accepted', 'required');
  const notAfter = timeOf('claimsNotAfter', given.claimsNotAfter!);
  const acceptedAt = timeOf('claimsAcceptedAt', given.claimsAcceptedAt!);
  if (notAfter <= now) throw badField('claimsNotAfter', 'the notice is over: show the holder a new one');
  if (acceptedAt > now) throw badField('claimsAcceptedAt', 'lies in the future');
  return { noticeId: given.claimsNoticeId!, notAfter, acceptedAt, validator: given.claimsValidator };
}

function timeOf(field: string, text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(at.getTime()))
    throw badField(field, 'must be a time such as 2026-11-15T09:00:00Z');
  return at;
}

/** An order does not wait longer for it: the registry itself refuses a create without its notice. */
const waitMs = 2_000;

async function refuseClaimed(house: House, { name, registryId }: Ordered): Promise<void> {
  const registry = await house.registries.of(registryId);
  if (!registry.claimsFor) return;
  const asked = await inTime(registry.claimsFor(name), waitMs);
  if (asked.kind !== 'done' || asked.data.length === 0) return;
  throw badField(
    'claimsNoticeId',
    `somebody claims ${name} as a mark: show the holder the notice of claim ${asked.data[0]}, and send its id with the times until which it holds and at which it was accepted`,
    'required',
  );
}

/** Judged by the registry alone; here only that it is one. */
const signedMarkElement = /<(?:[\w.-]+:)?signedMark[\s>]/;

function markOf(tld: Tld, rules: RegistrationRules, mark: string | undefined): string | undefined {
  if (rules.launch !== 'sunrise') {
    if (mark !== undefined) throw badField('signedMark', `.${tld.name} is in no sunrise: leave it out`);
    return undefined;
  }
  if (mark === undefined)
    throw badField(
      'signedMark',
      `.${tld.name} is in its sunrise: a name needs the signed mark (SMD) of its holder`,
      'required',
    );
  const armoured = /-----BEGIN ENCODED SMD-----([^-]+)-----END ENCODED SMD-----/.exec(mark)?.[1];
  const text = (armoured ?? mark).replace(/\s/g, '');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  if (!isBase64 || !signedMarkElement.test(Buffer.from(text, 'base64').toString('utf8')))
    throw badField('signedMark', 'must be a signed mark in base64, or the SMD file that has it');
  return text;
}

/** Sealed with the operation: a token is a secret, and a mark tells of its holder. Undefined: nothing to keep. */
export function registrationSecrets(data: RegistrationData | undefined): object | undefined {
  const kept = Object.entries(data ?? {}).filter(([, value]) => value !== undefined);
  return kept.length > 0 ? { registration: Object.fromEntries(kept) } : undefined;
}

export function openRegistration(house: House, operation: { id: string; secrets_sealed: string | null }) {
  if (!operation.secrets_sealed) return undefined;
  const opened = house.vault.open(operation.secrets_sealed, `operation:${operation.id}`);
  const { registration } = JSON.parse(opened) as { registration?: RegistrationData };
  if (!registration?.claims) return registration;
  const { notAfter, acceptedAt, ...claims } = registration.claims;
  // Stored as JSON, and a date of it is text again.
  const times = { notAfter: new Date(notAfter), acceptedAt: new Date(acceptedAt) };
  return { ...registration, claims: { ...claims, ...times } };
}
