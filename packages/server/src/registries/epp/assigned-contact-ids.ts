import { allTenants } from '@namehold/postgres';
import type { AppContext } from '../../core/app-context.ts';
import {
  handlesOfRemote,
  keepRemoteContact,
  namesOfHandle,
  registryContactId,
  sharesRemote,
} from '../../core/domains/registry/registry-contact.sql.ts';
import type {
  CommandContext,
  DomainChange,
  Registry,
  RegistryContact,
  RegistryDomain,
  Reply,
} from '../../core/ports/registry.ts';

type Contacts = RegistryDomain['contacts'];
type Role = keyof Contacts;

/** Domains that are given a new contact in one update of it. */
const namesAtOnce = 500;
const roles: readonly Role[] = ['admin', 'tech', 'billing'];
const done = { kind: 'done', data: null, pending: false, evidence: {} } as const;

/** Where ids assigned by the registry are stored, by the handle that we reserved. */
interface ContactIds {
  keep(handle: string, id: string): Promise<void>;
  /** Undefined: no contact of this handle is known to exist at the registry. */
  idOf(handle: string): Promise<string | undefined>;
  handlesOf(ids: readonly string[], name: string): ReturnType<typeof handlesOfRemote>;
  isShared(handle: string, id: string): Promise<boolean>;
  namesOf(handle: string): Promise<string[]>;
  /** A create without an answer: whether it left a contact behind, and under which id, cannot be queried. */
  countOrphan(): void;
}

export function databaseContactIds(ctx: AppContext, registryId: string, countOrphan: () => void): ContactIds {
  const db = () => ctx.db.as(allTenants);
  return {
    keep: (handle, id) =>
      ctx.db.transaction(allTenants, (tx) => keepRemoteContact(tx, registryId, handle, id)).then(() => undefined),
    idOf: (handle) => registryContactId(db(), registryId, handle),
    handlesOf: (ids, name) => handlesOfRemote(db(), registryId, ids, name),
    isShared: (handle, id) => sharesRemote(db(), registryId, handle, id),
    namesOf: (handle) => namesOfHandle(db(), registryId, handle, namesAtOnce),
    countOrphan,
  };
}

/**
 * RFC 5733 lets the client choose a contact's id; some registries assign their own and return it (profile `contacts.assignsIds`). Core keeps
 * its reserved handles: they are translated on the way out and back.
 */
export function withAssignedContactIds(
  registry: Registry,
  ids: ContactIds,
  ctx: Pick<AppContext, 'failpoint'>,
): Registry {
  return {
    ...registry,
    assignsContactIds: true,
    ...contactCommands(registry, ids, ctx),
    async create(order, context) {
      const translated = await outward(ids, order);
      return registry.create({ ...order, ...translated }, context);
    },
    async requestTransfer(order, context) {
      return registry.requestTransfer({ ...order, ...(await outward(ids, { contacts: {}, ...order })) }, context);
    },
    async update(name, change, context) {
      return registry.update(name, { ...change, ...(await outwardChange(ids, change)) }, context);
    },
    info: async (name, context) => inwardReply(ids, await registry.info(name, context)),
    infoWithCode: async (name, code, context) => inwardReply(ids, await registry.infoWithCode(name, code, context)),
    async poll() {
      const reply = await registry.poll();
      if (reply.kind !== 'done' || reply.data?.content.kind !== 'change') return reply;
      const { content } = reply.data;
      return {
        ...reply,
        data: { ...reply.data, content: { ...content, shown: await inward(ids, content.name, content.shown) } },
      };
    },
  };
}

function contactCommands(
  registry: Registry,
  ids: ContactIds,
  ctx: Pick<AppContext, 'failpoint'>,
): Pick<Registry, 'contactInfo' | 'createContact' | 'updateContact' | 'removeContact'> {
  const create = async (contact: RegistryContact, context: CommandContext): Promise<Reply<{ id: string } | null>> => {
    const made = await registry.createContact(contact, context);
    if (made.kind === 'unknown') ids.countOrphan();
    if (made.kind !== 'done') return made;
    ctx.failpoint('contact:before-id-kept');
    await ids.keep(contact.handle, made.data?.id ?? contact.handle);
    return made;
  };
  return {
    createContact: create,
    async contactInfo(handle, context) {
      const id = await ids.idOf(handle);
      if (id === undefined) return done;
      const reply = await registry.contactInfo(id, context);
      return reply.kind === 'done' && reply.data ? { ...reply, data: { ...reply.data, handle } } : reply;
    },
    async updateContact(contact, context) {
      const { handle } = contact;
      const id = await ids.idOf(handle);
      if (id !== undefined && !(await ids.isShared(handle, id)))
        return registry.updateContact({ ...contact, handle: id }, context);
      const names = id === undefined ? [] : await domainsWith(registry, await ids.namesOf(handle), handle, ids);
      if ('kind' in names) return names;
      const made = await create(contact, context);
      if (made.kind !== 'done') return made;
      for (const { name, change } of names) {
        const moved = await registry.update(name, await outwardChange(ids, change), context);
        if (moved.kind !== 'done') return moved;
      }
      return { ...made, data: null };
    },
    async removeContact(handle, context) {
      const id = await ids.idOf(handle);
      return id === undefined || (await ids.isShared(handle, id)) ? done : registry.removeContact(id, context);
    },
  };
}

interface Moved {
  readonly name: string;
  readonly change: DomainChange;
}

/**
 * Two handles with equal data may share one id. When one of them changes, it gets its own contact, and its domains get that contact in
 * these roles. The id to remove is the shared one, so it is given as the registry's id.
 */
async function domainsWith(
  registry: Registry,
  names: readonly string[],
  handle: string,
  ids: ContactIds,
): Promise<Moved[] | Exclude<Reply<never>, { kind: 'done' }>> {
  const moved: Moved[] = [];
  for (const name of names) {
    const shown = await registry.info(name);
    if (shown.kind !== 'done') return shown;
    if (!shown.data?.isOurs) continue;
    const here = await inward(ids, name, shown.data);
    const held = roles.filter((role) => here.contacts[role] === handle);
    const change: DomainChange = {
      ...(here.registrant === handle ? { registrant: handle } : {}),
      ...(held.length > 0
        ? {
            addContacts: Object.fromEntries(held.map((role) => [role, handle])),
            removeContacts: Object.fromEntries(held.map((role) => [role, shown.data!.contacts[role]!])),
          }
        : {}),
    };
    if (Object.keys(change).length > 0) moved.push({ name, change });
  }
  return moved;
}

/** A handle without an id is sent unchanged; the registry reports it as unknown. */
async function outward(
  ids: ContactIds,
  order: { readonly [part in 'registrant' | 'declarant']?: string } & { readonly contacts: Contacts },
) {
  const { registrant, declarant } = order;
  return {
    ...(registrant === undefined ? {} : { registrant: (await ids.idOf(registrant)) ?? registrant }),
    ...(declarant === undefined ? {} : { declarant: (await ids.idOf(declarant)) ?? declarant }),
    contacts: await outwardRoles(ids, order.contacts),
  };
}

async function outwardRoles(ids: ContactIds, contacts: Contacts): Promise<Contacts> {
  const translated = await Promise.all(
    Object.entries(contacts).map(async ([role, handle]) => [role, (await ids.idOf(handle)) ?? handle] as const),
  );
  return Object.fromEntries(translated);
}

async function outwardChange(ids: ContactIds, change: DomainChange): Promise<DomainChange> {
  const { addContacts, removeContacts, registrant, declarant } = change;
  return {
    ...change,
    ...(registrant ? { registrant: (await ids.idOf(registrant)) ?? registrant } : {}),
    ...(declarant === undefined ? {} : { declarant: (await ids.idOf(declarant)) ?? declarant }),
    ...(addContacts ? { addContacts: await outwardRoles(ids, addContacts) } : {}),
    ...(removeContacts ? { removeContacts: await outwardRoles(ids, removeContacts) } : {}),
  };
}

async function inwardReply(
  ids: ContactIds,
  reply: Reply<RegistryDomain | null>,
): Promise<Reply<RegistryDomain | null>> {
  if (reply.kind !== 'done' || !reply.data?.isOurs) return reply;
  return { ...reply, data: await inward(ids, reply.data.name, reply.data) };
}

/** Ids without a handle are returned unchanged. */
async function inward<T extends Partial<RegistryDomain>>(ids: ContactIds, name: string, shown: T): Promise<T> {
  const { registrant, contacts = {} } = shown;
  const all = [...(registrant ? [registrant] : []), ...Object.values(contacts)];
  if (all.length === 0) return shown;
  const handles = await ids.handlesOf([...new Set(all)], name);
  const handleOf = (id: string, role: Role | 'registrant') => {
    const known = handles.get(id);
    return (known?.find((each) => each.roles.includes(role)) ?? known?.[0])?.handle ?? id;
  };
  return {
    ...shown,
    ...(registrant ? { registrant: handleOf(registrant, 'registrant') } : {}),
    ...(shown.contacts
      ? {
          contacts: Object.fromEntries(
            Object.entries(contacts).map(([role, id]) => [role, handleOf(id, role as Role)]),
          ),
        }
      : {}),
  };
}
