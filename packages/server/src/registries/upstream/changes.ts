import { allTenants } from '@namehold/postgres';
import { remoteContact } from '../../core/domains/registry/registry-contact.sql.ts';
import type { DomainChange, Registry } from '../../core/ports/registry.ts';
import { newSecret } from '../epp/secret.ts';
import { assignment } from './assign-contacts.ts';
import type { Detail } from './detail.ts';
import { statusesOf } from './queries.ts';
import { type Upstream, withDomain } from './upstream.ts';
import type { Call } from './wire.ts';

/** Splits one change into the requests that the contract has for its parts. */
export function changes(u: Upstream): Pick<Registry, 'update'> {
  return {
    update: (name, change, context) =>
      withDomain(u, name, async (detail, path) => {
        const contacts = await contactCalls(u, path, detail, change);
        if (typeof contacts === 'string') return { kind: 'unsent', why: contacts };
        const flags = flagCalls(u, path, detail, change);
        // Changes that a lock or hold forbids are made before it is set, or after it is removed.
        const calls = [
          ...flags.lifted,
          ...nameserverCalls(path, detail, change),
          ...contacts,
          ...dsCalls(path, change),
          ...codeCalls(u, path, change),
          ...flags.raised,
        ];
        if (calls.length === 0) return { kind: 'done', data: null, pending: false, evidence: {} };
        return u.account.command({ object: 'domain', verb: 'update', name, calls, read: () => null }, context);
      }),
  };
}

function nameserverCalls(path: string, detail: Detail, change: DomainChange): Call[] {
  if (!change.addNameservers?.length && !change.removeNameservers?.length) return [];
  const kept = detail.nameservers.filter((host) => !change.removeNameservers?.includes(host));
  const wanted = [...new Set([...kept, ...(change.addNameservers ?? []).map(({ hostname }) => hostname)])];
  return [{ method: 'PUT', path: `${path}/ns`, form: { ns: wanted.join(',') } }];
}

async function contactCalls(u: Upstream, path: string, detail: Detail, change: DomainChange): Promise<Call[] | string> {
  const { registrant, addContacts = {}, removeContacts = {} } = change;
  const ids: { -readonly [K in keyof Detail['contacts']]: string | undefined } = { ...detail.contacts };
  for (const role of ['admin', 'tech', 'billing'] as const)
    if (removeContacts[role] !== undefined) ids[role] = undefined;
  const wanted = { ...(registrant === undefined ? {} : { registrant }), ...addContacts };
  for (const [role, handle] of Object.entries(wanted)) {
    const id = await remoteContact(u.ctx.db.as(allTenants), u.id, handle);
    if (id === undefined) return `contact ${handle} does not exist at the upstream yet`;
    ids[role as keyof typeof ids] = id;
  }
  const isSame = Object.entries(ids).every(([role, id]) => detail.contacts[role as keyof typeof ids] === id);
  return isSame ? [] : [assignment(u, path, ids)];
}

function dsCalls(path: string, { addDs = [], removeDs = [] }: DomainChange): Call[] {
  return [
    ...addDs.map(
      ({ keytag, algorithm, digesttype, digest }): Call => ({
        method: 'POST',
        path: `${path}/dnssec`,
        form: { keytag: String(keytag), algorithm: String(algorithm), digesttype: String(digesttype), digest },
      }),
    ),
    ...removeDs.map(
      ({ keytag, algorithm, digesttype, digest }): Call => ({
        method: 'DELETE',
        path: `${path}/dnssec/${keytag}/${algorithm}/${digesttype}/${digest}`,
      }),
    ),
  ];
}

/** The contract cannot unset an auth code, so a random one that is not stored replaces it. */
function codeCalls(u: Upstream, path: string, { authCode }: DomainChange): Call[] {
  if (authCode === undefined) return [];
  return [{ method: 'PUT', path: `${path}/auth_code`, form: { auth_code: authCode ?? freshCode(u) } }];
}

export function freshCode(u: Upstream): string {
  const { minLength, maxLength, length } = u.profile.authCode;
  const rules = {
    authInfoMinLength: minLength,
    authInfoMaxLength: maxLength,
    authInfoLength: length,
    authInfoClasses: ['lower', 'upper', 'digit', 'symbol'] as const,
  };
  return newSecret(rules, (count, alphabet) => u.ctx.ids.text(count, alphabet));
}

/** A hold must not prevent its own remedy: permissions are decided here, because the cause is known here. */
const hold = (u: Upstream): Record<string, string> =>
  u.profile.dialect === 'namehold' ? { changes: 'allowed', reason: 'on hold at the reseller' } : {};

/** Core uses EPP statuses; the contract has a call for each of them. */
function flagCalls(
  u: Upstream,
  path: string,
  detail: Detail,
  change: DomainChange,
): { lifted: Call[]; raised: Call[] } {
  const { addStatuses = [], removeStatuses = [] } = change;
  if (addStatuses.length === 0 && removeStatuses.length === 0) return { lifted: [], raised: [] };
  const after = new Set([...statusesOf(detail).filter((status) => !removeStatuses.includes(status)), ...addStatuses]);
  const isLocked = after.has('clientUpdateProhibited') || after.has('clientDeleteProhibited');
  const flags: [string, boolean, boolean][] = [
    ['locked', detail.isLocked, isLocked],
    ['suspended', detail.isSuspended, after.has('clientHold')],
    // A lock includes this status, so it stays unchanged under one.
    ['theft_protection', detail.isProtected, isLocked ? detail.isProtected : after.has('clientTransferProhibited')],
  ];
  const changed = flags.filter(([, is, wanted]) => is !== wanted);
  return {
    lifted: changed.filter(([, is]) => is).map(([flag]): Call => ({ method: 'DELETE', path: `${path}/${flag}` })),
    raised: changed
      .filter(([, is]) => !is)
      .map(([flag]): Call => ({ method: 'PUT', path: `${path}/${flag}`, form: flag === 'suspended' ? hold(u) : {} }))
      .reverse(),
  };
}
