import type { AppContext } from '../../app-context.ts';
import { badField } from '../../errors.ts';
import type { RegistrationRules, Tld } from '../../model/tld.ts';
import type { ClaimsNotice, RegistrationData } from '../../ports/registry.ts';
import { inTime } from '../search/refuse-taken.ts';

/** As it is in an order: parts may be missing, and times are text. */
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

/** Fields that the TLD requires must be present. Fields that it does not use are refused, because they would be silently dropped. */
export async function checkRegistrationData(
  ctx: AppContext,
  ordered: Ordered,
  given: GivenRegistration,
): Promise<RegistrationData> {
  const { name, tld } = ordered;
  const rules = tld.rules.registration ?? {};
  const claims = claimsOf(tld, given, ctx.clock.now());
  if (rules.launch === 'claims' && !claims) await refuseClaimed(ctx, ordered);
  return {
    allocationToken: tokenOf(tld, rules, given.allocationToken),
    idnTable: tableOf(name, tld, rules, given.idnTable),
    claims,
    signedMark: markOf(tld, rules, given.signedMark),
  };
}

function tokenOf(tld: Tld, rules: RegistrationRules, token: string | undefined): string | undefined {
  if (token !== undefined && !rules.allocation_token)
    throw badField('allocationToken', `.${tld.name} does not use allocation tokens. Leave this field out.`);
  if (token === undefined && rules.allocation_token === 'required')
    throw badField(
      'allocationToken',
      `.${tld.name} only registers domains with an allocation token of the registry.`,
      'required',
    );
  return token;
}

function tableOf(name: string, tld: Tld, rules: RegistrationRules, table: string | undefined): string | undefined {
  const { idn_tables: tables = [] } = rules;
  const isNeeded = name.startsWith('xn--') && tables.length > 0;
  if (!isNeeded && table !== undefined)
    throw badField('idnTable', `${name} needs no IDN table under .${tld.name}. Leave this field out.`);
  if (!isNeeded) return undefined;
  const chosen = table ?? (tables.length === 1 ? tables[0] : undefined);
  const message = `.${tld.name} requires the IDN table: one of ${tables.join(', ')}.`;
  if (chosen === undefined) throw badField('idnTable', message, 'required');
  if (!tables.includes(chosen)) throw badField('idnTable', message);
  return chosen;
}

const claimParts = ['claimsNoticeId', 'claimsNotAfter', 'claimsAcceptedAt'] as const;

function claimsOf(tld: Tld, given: GivenRegistration, now: Date): ClaimsNotice | undefined {
  const sent = [...claimParts, 'claimsValidator' as const].find((part) => given[part] !== undefined);
  if (sent === undefined) return undefined;
  if (tld.rules.registration?.launch !== 'claims')
    throw badField(sent, `.${tld.name} is not in a claims phase. Leave this field out.`);
  for (const part of claimParts)
    if (given[part] === undefined)
      throw badField(part, 'Required with the claims notice that the registrant accepted.', 'required');
  const notAfter = timeOf('claimsNotAfter', given.claimsNotAfter!);
  const acceptedAt = timeOf('claimsAcceptedAt', given.claimsAcceptedAt!);
  if (notAfter <= now)
    throw badField('claimsNotAfter', 'The claims notice has expired. Show the registrant a new one.');
  if (acceptedAt > now) throw badField('claimsAcceptedAt', 'Must not be in the future.');
  return { noticeId: given.claimsNoticeId!, notAfter, acceptedAt, validator: given.claimsValidator };
}

function timeOf(field: string, text: string): Date {
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(at.getTime()))
    throw badField(field, 'Must be a time such as 2026-11-15T09:00:00Z.');
  return at;
}

/** An order does not wait longer than this: the registry itself refuses a create without its claims notice. */
const waitMs = 2_000;

async function refuseClaimed(ctx: AppContext, { name, registryId }: Ordered): Promise<void> {
  const registry = await ctx.registries.of(registryId);
  if (!registry.claimsFor) return;
  const queryReply = await inTime(registry.claimsFor(name), waitMs);
  if (queryReply.kind !== 'done' || queryReply.data.length === 0) return;
  throw badField(
    'claimsNoticeId',
    `A trademark claim exists for ${name}. Show the registrant claims notice ${queryReply.data[0]}, and send its id, its expiry time and the time of acceptance.`,
    'required',
  );
}

/** Only the registry validates the mark; here only its encoding is checked. */
const signedMarkElement = /<(?:[\w.-]+:)?signedMark[\s>]/;

function markOf(tld: Tld, rules: RegistrationRules, mark: string | undefined): string | undefined {
  if (rules.launch !== 'sunrise') {
    if (mark !== undefined)
      throw badField('signedMark', `.${tld.name} is not in a sunrise phase. Leave this field out.`);
    return undefined;
  }
  if (mark === undefined)
    throw badField(
      'signedMark',
      `.${tld.name} is in its sunrise phase: only trademark owners can register. The registrant's signed mark (SMD) is required.`,
      'required',
    );
  const armoured = /-----BEGIN ENCODED SMD-----([^-]+)-----END ENCODED SMD-----/.exec(mark)?.[1];
  const text = (armoured ?? mark).replace(/\s/g, '');
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(text);
  if (!isBase64 || !signedMarkElement.test(Buffer.from(text, 'base64').toString('utf8')))
    throw badField('signedMark', 'Must be a signed mark in base64, or the SMD file that contains it.');
  return text;
}

/** Encrypted with the operation, because a token is a secret and a mark contains data of the registrant. Undefined: nothing to store. */
export function registrationSecrets(data: RegistrationData | undefined): object | undefined {
  const kept = Object.entries(data ?? {}).filter(([, value]) => value !== undefined);
  return kept.length > 0 ? { registration: Object.fromEntries(kept) } : undefined;
}

export function openRegistration(ctx: AppContext, operation: { id: string; secrets_sealed: string | null }) {
  if (!operation.secrets_sealed) return undefined;
  const opened = ctx.vault.open(operation.secrets_sealed, `operation:${operation.id}`);
  const { registration } = JSON.parse(opened) as { registration?: RegistrationData };
  if (!registration?.claims) return registration;
  const { notAfter, acceptedAt, ...claims } = registration.claims;
  // The data is stored as JSON, so its dates are read back as text.
  const times = { notAfter: new Date(notAfter), acceptedAt: new Date(acceptedAt) };
  return { ...registration, claims: { ...claims, ...times } };
}
