import { allTenants, type Tx } from '@namehold/postgres';
import {
  keepFirstRemoteContact,
  keepRemoteContact,
  namesOfHandle,
  remoteContact,
  sharesRemote,
} from '../../core/domains/registry/registry-contact.sql.ts';
import type { CommandContext, Registry, RegistryContact, Reply } from '../../core/ports/registry.ts';
import { objectOf } from './fields.ts';
import { clientOf, objectNotFound, type Upstream, withDomain } from './upstream.ts';

type ContactCommands = Pick<Registry, 'contactInfo' | 'createContact' | 'updateContact' | 'removeContact'>;

/** Domains that get another contact in one round. */
const batchSize = 500;
const done = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** The upstream assigns contact ids. The id of each of our handles is stored with the answer that contains it. */
export function contactCommands(u: Upstream): ContactCommands {
  return {
    async contactInfo(handle) {
      const id = await known(u, handle);
      if (id === undefined) return done;
      if (u.dialect.contactIdOf) return { ...done, data: { handle, isHidden: false } };
      const { reply } = await u.account.inquire(u.dialect.calls.contact(id));
      if (reply.kind === 'refused' && reply.evidence.code === objectNotFound) return done;
      if (reply.kind !== 'done') return reply;
      return { ...reply, data: objectOf(reply.data) ? { handle, isHidden: false } : null };
    },
    async createContact(contact, context) {
      if (contact.isHidden) return cannotHide;
      return create(u, contact, context);
    },
    async updateContact(contact, context) {
      if (contact.isHidden) return cannotHide;
      const { handle } = contact;
      const id = await known(u, handle);
      if (id === undefined) return create(u, contact, context);
      const { updateContact: change } = u.dialect.calls;
      if (u.dialect.contactIdOf?.(contact) === id) return done;
      const isShared = await sharesRemote(u.ctx.db.as(allTenants), u.id, handle, id);
      if (isShared || !change) return part(u, contact, id, context);
      const calls = change(id, contact);
      return u.account.command({ object: 'contact', verb: 'update', name: handle, calls, read: () => null }, context);
    },
    async removeContact(handle, context) {
      const id = await known(u, handle);
      if (id === undefined || u.dialect.contactIdOf || (await sharesRemote(u.ctx.db.as(allTenants), u.id, handle, id)))
        return done;
      const calls = u.dialect.calls.removeContact(id);
      const reply = await u.account.command(
        { object: 'contact', verb: 'delete', name: handle, calls, read: () => null },
        context,
      );
      return reply.kind === 'refused' && reply.evidence.code === objectNotFound ? done : reply;
    },
  };
}

const known = (u: Upstream, handle: string) => remoteContact(u.ctx.db.as(allTenants), u.id, handle);

async function create(u: Upstream, contact: RegistryContact, context: CommandContext): Promise<Reply<null>> {
  const { handle } = contact;
  const before = (await known(u, handle)) ?? null;
  // A concurrent order may have created it.
  if (before !== null && !u.dialect.contactIdOf && !u.dialect.takesOurContactIds) {
    const { reply } = await u.account.inquire(u.dialect.calls.contact(before));
    if (reply.kind === 'done') return done;
    if (reply.kind !== 'refused') return reply;
  }
  const made = await make(u, contact, context);
  const present = isOursAlready(u, made) ? await complete(u, contact, context) : made;
  return keep(present, (tx, id) => keepFirstRemoteContact(tx, { registryId: u.id, handle, before }, id), u);
}

/** RFC 5730 3: object exists. */
const objectExists = 2302;

/** Its answer was lost, or only a part of it was done. */
const isOursAlready = ({ dialect }: Upstream, made: Reply<unknown>): boolean =>
  dialect.takesOurContactIds === true && made.kind === 'refused' && made.evidence.code === objectExists;

async function complete(u: Upstream, contact: RegistryContact, context: CommandContext): Promise<Reply<string | null>> {
  const { handle } = contact;
  const missing = await u.dialect.completeContact?.(clientOf(u), contact);
  if (missing && missing.kind !== 'done') return missing;
  if (!missing || missing.data.length === 0) return { ...done, data: handle };
  const calls = missing.data;
  return u.account.command({ object: 'contact', verb: 'update', name: handle, calls, read: () => handle }, context);
}

async function make(u: Upstream, contact: RegistryContact, context: CommandContext): Promise<Reply<string | null>> {
  const { contactIdOf, contactId, calls, takesOurContactIds } = u.dialect;
  if (contactIdOf) return { ...done, data: contactIdOf(contact) };
  return u.account.command(
    {
      object: 'contact',
      verb: 'create',
      name: contact.handle,
      calls: calls.createContact(contact),
      read: (body) => (takesOurContactIds ? contact.handle : (contactId(body) ?? null)),
    },
    context,
  );
}

async function keep(
  made: Reply<string | null>,
  store: (tx: Tx, id: string) => Promise<void>,
  { ctx }: Upstream,
): Promise<Reply<null>> {
  if (made.kind !== 'done') return made;
  const id = made.data;
  // The contact may have been created with an unknown id. A retry finds it or creates another one, which is free of charge.
  if (id === null)
    return { kind: 'unknown', why: 'the upstream did not return the contact id', evidence: made.evidence };
  await ctx.db.transaction(allTenants, (tx) => store(tx, id));
  return { ...made, data: null };
}

/**
 * Two of our contacts with equal data share one there, or contacts cannot be changed there. The changed contact gets its own contact, and
 * its domains get that one.
 */
async function part(
  u: Upstream,
  contact: RegistryContact,
  oldId: string,
  context: CommandContext,
): Promise<Reply<null>> {
  const made = await make(u, contact, context);
  const store = (tx: Tx, id: string) => keepRemoteContact(tx, u.id, contact.handle, id);
  if (made.kind !== 'done' || made.data === null) return keep(made, store, u);
  const newId = made.data;
  const names = await namesOfHandle(u.ctx.db.as(allTenants), u.id, contact.handle, batchSize);
  for (const name of names) {
    const moved = await withDomain<null>(u, name, async (detail) => {
      const ids = Object.entries(detail.contacts).map(([role, id]) => [role, id === oldId ? newId : id] as const);
      if (!Object.values(detail.contacts).includes(oldId)) return done;
      const calls = u.dialect.calls.contacts(detail, Object.fromEntries(ids), { [newId]: contact });
      return u.account.command({ object: 'domain', verb: 'update', name, calls, read: () => null }, context);
    });
    if (moved.kind !== 'done') return moved;
  }
  return keep(made, store, u);
}

const cannotHide: Reply<never> = {
  kind: 'refused',
  evidence: {
    text: 'an upstream cannot withhold contact data: set a proxy for the TLD (privacy_proxy) in the catalogue',
    own: { field: 'registrant', code: 'invalid_argument' },
  },
};
