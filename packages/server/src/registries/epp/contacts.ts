import { type ContactPart, type Disclose, followsSecureAuthInfo } from '@namehold/epp';
import type { Registry, RegistryContact, Reply } from '../../core/ports/registry.ts';
import type { Sender } from './driver.ts';
import { reply } from './reply.ts';
import { newSecret } from './secret.ts';
import { extensionsOf, extOf, statedElements } from './tld-fields.ts';
import { postalInfo } from './translate.ts';

/** Data that the registry does not use is not sent (data minimisation). */
function lessOf(contact: RegistryContact, withheld: readonly ContactPart[] = []): RegistryContact {
  const without = (part: ContactPart) => withheld.includes(part);
  return {
    ...contact,
    ...(without('org') ? { organisation: null } : {}),
    ...(without('street') ? { street: [] } : {}),
    ...(without('sp') ? { state: null } : {}),
    ...(without('pc') ? { postalCode: null } : {}),
    ...(without('fax') ? { fax: null } : {}),
  };
}

type ContactCommands = Pick<Registry, 'contactInfo' | 'createContact' | 'updateContact' | 'removeContact'>;

/** RFC 5733 2.9: lists everything that can be withheld, in the forms in which it was sent. */
function hidden(contact: RegistryContact): Disclose {
  const types = postalInfo(contact).map((info) => info.type);
  return { flag: false, name: types, org: types, addr: types, voice: true, fax: true, email: true };
}

/** Declarations of a contact, if the registry has an extension for them. */
const declarationsOf = (
  { profile }: Sender,
  { extra, statedFields = [] }: RegistryContact,
  verb: 'create' | 'update',
) => extOf(extensionsOf(profile, 'contact', extra), statedElements(profile, statedFields, 'contact', verb, extra));

/**
 * RFC 5733 3.2.1: the client chooses the id. If a registry assigns another one and its profile does not say so, the domain would name a
 * missing or foreign contact. It ends as a refusal of our own, because each retry would create another contact.
 */
function withOurId<T extends { readonly id: string } | null>(s: Sender, handle: string, made: Reply<T>): Reply<T> {
  if (made.kind !== 'done' || !made.data || made.data.id.toLowerCase() === handle.toLowerCase()) return made;
  s.onAssignedId?.(made.data.id);
  const { code: _, ...evidence } = made.evidence;
  const text = `registry ${s.id} assigns contact ids: set contacts.assignsIds in its profile`;
  return { kind: 'refused', evidence: { ...evidence, text, own: { field: 'registrant', code: 'invalid_argument' } } };
}

export function contactCommands(s: Sender): ContactCommands {
  const { withheld } = s.profile.contacts;
  const isSecure = s.profile.rules.secureAuthInfo === true && followsSecureAuthInfo(s.profile);
  const voiceOf = ({ voice }: RegistryContact) => (withheld?.includes('voice') ? {} : { voice: { number: voice } });
  return {
    contactInfo: (handle, context) =>
      reply({
        send: () => s.pool.send({ object: 'contact', verb: 'info', id: handle }, s.options(context)),
        absent: { value: null },
        read: (data) => (data ? { handle: data.id, isHidden: data.disclose?.flag === false } : null),
      }),
    async createContact(whole, context) {
      const contact = lessOf(whole, withheld);
      const made = await reply({
        send: () =>
          s.pool.send(
            {
              object: 'contact',
              verb: 'create',
              id: contact.handle,
              postal: postalInfo(contact),
              ...voiceOf(contact),
              ...(contact.fax ? { fax: { number: contact.fax } } : {}),
              email: contact.email,
              // Contacts are never transferred, so the auth code is not needed. RFC 9154 5.1: then it is empty.
              authInfo: { pw: isSecure ? '' : newSecret({ ...s.profile.rules, ...s.profile.contacts }, s.chance) },
              ...(contact.isHidden ? { disclose: hidden(contact) } : {}),
              ext: declarationsOf(s, contact, 'create'),
            },
            s.options(context),
          ),
        read: (data): { readonly id: string } | null => (data ? { id: data.id } : null),
      });
      return s.profile.contacts.assignsIds ? made : withOurId(s, contact.handle, made);
    },
    updateContact(whole, context) {
      const contact = lessOf(whole, withheld);
      return reply({
        send: () =>
          s.pool.send(
            {
              object: 'contact',
              verb: 'update',
              id: contact.handle,
              chg: {
                postal: postalInfo(contact),
                ...voiceOf(contact),
                ...(withheld?.includes('fax') ? {} : { fax: { number: contact.fax ?? '' } }),
                email: contact.email,
                ...(contact.isHidden ? { disclose: hidden(contact) } : {}),
              },
              ext: declarationsOf(s, contact, 'update'),
            },
            s.options(context),
          ),
        read: () => null,
      });
    },
    removeContact: (handle, context) =>
      reply({
        send: () => s.pool.send({ object: 'contact', verb: 'delete', id: handle }, s.options(context)),
        absent: { value: null },
        read: () => null,
      }),
  };
}
