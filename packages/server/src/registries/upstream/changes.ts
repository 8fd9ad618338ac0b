import { allTenants } from '@namehold/postgres';
import { remoteContact } from '../../core/domains/registry/registry-contact.sql.ts';
import type { DomainChange, Registry } from '../../core/ports/registry.ts';
import { newSecret } from '../epp/secret.ts';
import { contactDataOf } from './contact-data.ts';
import type { Detail, Flag } from './dialect.ts';
import { statusesOf } from './statuses.ts';
import { type Upstream, withDomain } from './upstream.ts';
import type { Call } from './wire.ts';

/** RFC 5730 3: unimplemented option. */
const unsupported = 2102;

/** Splits one change into the requests that the contract has for its parts. */
export function changes(u: Upstream): Pick<Registry, 'update'> {
  return {
    update: (name, change, context) =>
      withDomain(u, name, async (detail) => {
        const contacts = await contactCalls(u, detail, change);
        if (typeof contacts === 'string') return { kind: 'unsent', why: contacts };
        const flags = flagCalls(u, detail, change);
        if (typeof flags === 'string') return { kind: 'refused', evidence: { code: unsupported, text: flags } };
        const services = serviceCalls(u, detail, change);
        if (typeof services === 'string') return { kind: 'refused', evidence: { code: unsupported, text: services } };
        // Changes that a lock or hold forbids are made before it is set, or after it is removed.
        const parts = [
          ...flags.lifted,
          ...nameserverCalls(u, detail, change),
          ...contacts,
          ...dsCalls(u, detail, change),
          ...codeCalls(u, detail, change),
          ...services,
          ...flags.raised,
        ];
        const calls = u.dialect.calls.merge?.(detail, parts) ?? parts;
        if (calls.length === 0) return { kind: 'done', data: null, pending: false, evidence: {} };
        return u.account.command({ object: 'domain', verb: 'update', name, calls, read: () => null }, context);
      }),
  };
}

function nameserverCalls(u: Upstream, detail: Detail, change: DomainChange): readonly Call[] {
  if (!change.addNameservers?.length && !change.removeNameservers?.length) return [];
  const kept = detail.nameservers.filter((host) => !change.removeNameservers?.includes(host));
  const wanted = [...new Set([...kept, ...(change.addNameservers ?? []).map(({ hostname }) => hostname)])];
  return u.dialect.calls.nameservers(detail, wanted);
}

async function contactCalls(u: Upstream, detail: Detail, change: DomainChange): Promise<readonly Call[] | string> {
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
  if (isSame) return [];
  const changed = Object.entries(ids).flatMap(([role, id]) =>
    detail.contacts[role as keyof typeof ids] === id ? [] : [id],
  );
  const data = await contactDataOf(u, detail.name, changed);
  return typeof data === 'string' ? data : u.dialect.calls.contacts(detail, ids, data);
}

const dsCalls = (u: Upstream, detail: Detail, { addDs = [], removeDs = [] }: DomainChange): readonly Call[] =>
  addDs.length + removeDs.length === 0 ? [] : (u.dialect.calls.ds?.(detail, addDs, removeDs) ?? []);

/** An upstream cannot unset an auth code, so a random one that is not stored replaces it. */
const codeCalls = (u: Upstream, detail: Detail, { authCode }: DomainChange): readonly Call[] =>
  authCode === undefined ? [] : u.dialect.calls.authCode(detail, authCode ?? freshCode(u));

/** The upstream's own auto-renewal and privacy service. */
function serviceCalls(u: Upstream, detail: Detail, change: DomainChange): readonly Call[] | string {
  const { autoRenew: renew, flags } = u.dialect.calls;
  const { autoRenew = detail.autoRenew, isPrivate = detail.isPrivate } = change;
  const isRenewal = autoRenew !== undefined && autoRenew !== detail.autoRenew;
  const isPrivacy = isPrivate !== undefined && isPrivate !== detail.isPrivate;
  if (isRenewal && !renew) return 'this upstream has no call for its own renewal';
  if (isPrivacy && !flags.private) return 'this upstream has no call for it (private)';
  return [
    ...(isRenewal ? (renew?.(detail, autoRenew) ?? []) : []),
    ...(isPrivacy ? (flags.private?.(detail, isPrivate) ?? []) : []),
  ];
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

/** Core uses EPP statuses; an upstream has a call for each flag. */
function flagCalls(u: Upstream, detail: Detail, change: DomainChange): { lifted: Call[]; raised: Call[] } | string {
  const { addStatuses = [], removeStatuses = [] } = change;
  if (addStatuses.length === 0 && removeStatuses.length === 0) return { lifted: [], raised: [] };
  const after = new Set([...statusesOf(detail).filter((status) => !removeStatuses.includes(status)), ...addStatuses]);
  const isLocked = after.has('clientUpdateProhibited') || after.has('clientDeleteProhibited');
  const flags: [Flag, boolean, boolean][] = [
    ['locked', detail.isLocked, isLocked],
    ['suspended', detail.isSuspended, after.has('clientHold')],
    // A lock includes this status, so it stays unchanged under one.
    ['protected', detail.isProtected, isLocked ? detail.isProtected : after.has('clientTransferProhibited')],
  ];
  const changed = flags.filter(([, is, wanted]) => is !== wanted);
  const missing = changed.find(([flag]) => !u.dialect.calls.flags[flag]);
  if (missing) return `this upstream has no call for it (${missing[0]})`;
  const callsOf = (flag: Flag, isOn: boolean) => u.dialect.calls.flags[flag]?.(detail, isOn) ?? [];
  return {
    lifted: changed.filter(([, is]) => is).flatMap(([flag]) => callsOf(flag, false)),
    raised: changed
      .filter(([, is]) => !is)
      .reverse()
      .flatMap(([flag]) => callsOf(flag, true)),
  };
}
