import type { Tx } from '@namehold/postgres';
import ipaddr from 'ipaddr.js';
import type { Actor } from '../app-context.ts';
import { type FieldProblem, Refusal } from '../errors.ts';
import { findKey } from './key.sql.ts';
import { type ApiKey, allows } from './key.ts';

/** What a key permits: its scopes, IP ranges and expiry. */
type Privileges = Pick<ApiKey, 'scopes' | 'ip_whitelist' | 'expires_at'>;

/** The present limits of the key in use, or undefined if it may manage every key of the account. A user has no IP range. */
async function ownPrivileges(tx: Tx, actor: Actor): Promise<Privileges | undefined> {
  if (actor.user) return actor.scopes.includes('full') ? undefined : { ...everywhere, scopes: [...actor.scopes] };
  if (actor.keyId === null) return actor.scopes.includes('full') ? undefined : nothing;
  const own = (await findKey(tx, actor.resellerId, actor.keyId)) ?? nothing;
  return own.scopes.includes('full') ? undefined : own;
}

const everywhere: Privileges = { scopes: [], ip_whitelist: ['0.0.0.0/0', '::/0'], expires_at: null };
const nothing: Privileges = { scopes: [], ip_whitelist: [], expires_at: null };

/** For a new key: names each field in which it would exceed the key in use. */
export async function refusePrivilegeEscalation(tx: Tx, actor: Actor, wanted: Privileges): Promise<void> {
  const own = await ownPrivileges(tx, actor);
  const errors = own ? beyond(own, wanted) : [];
  if (errors.length > 0)
    throw new Refusal('invalid_argument', `${errors[0]!.field}: ${errors[0]!.message}`, { errors });
}

/** For an existing key: a caller that rotates, changes or revokes a stronger one would gain rights. */
export async function refuseStrongerKey(tx: Tx, actor: Actor, present: Privileges): Promise<void> {
  const own = await ownPrivileges(tx, actor);
  if (!own || beyond(own, present).length === 0) return;
  throw new Refusal(
    'scope_missing',
    'Only a key with the scope full can manage a key that has more scopes than itself.',
    {
      facts: { scope: 'full' },
    },
  );
}

function beyond(own: Privileges, wanted: Privileges): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const scope = wanted.scopes.find((each) => !hasScope(own.scopes, each));
  if (scope)
    problems.push({
      field: 'scopes',
      code: 'beyond_own_scope',
      message: `You do not have the scope "${scope}" yourself.`,
    });
  const range = wanted.ip_whitelist.find((each) => !own.ip_whitelist.some((mine) => isWithin(each, mine)));
  if (range)
    problems.push({
      field: 'whitelist',
      code: 'beyond_own_whitelist',
      message: `The key in use is not allowed from ${range} itself.`,
    });
  if (own.expires_at && (!wanted.expires_at || wanted.expires_at > own.expires_at))
    problems.push({
      field: 'expiresAt',
      code: 'beyond_own_life',
      message: `Must not be later than the expiry of the key in use, ${own.expires_at.toISOString()}.`,
    });
  return problems;
}

/** `read` covers every area: a caller that may read only some areas cannot grant it. */
export function hasScope(own: readonly string[], wanted: string): boolean {
  return wanted === 'read' ? own.includes('read') : allows(own, wanted);
}

function isWithin(range: string, outer: string): boolean {
  const [inner, around] = [parse(range), parse(outer)];
  return inner.address.kind() === around.address.kind() && inner.bits >= around.bits && matches(inner, around);
}

const parse = (range: string) => {
  const [text, bits] = range.split('/') as [string, string?];
  const address = ipaddr.parse(text);
  return { address, bits: bits === undefined ? (address.kind() === 'ipv4' ? 32 : 128) : Number(bits) };
};

function matches(inner: ReturnType<typeof parse>, around: ReturnType<typeof parse>): boolean {
  return (inner.address as ipaddr.IPv6).match(around.address as ipaddr.IPv6, around.bits);
}
