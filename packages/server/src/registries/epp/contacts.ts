import type { ContactPart, Disclose } from '@namehold/epp';
import type { Registry, RegistryContact } from '../../core/domains/registry/registry.ts';
import type { Sender } from './driver.ts';
import { reply } from './reply.ts';
import { newSecret } from './secret.ts';
import { asiaCed, postalInfo, usNexus } from './translate.ts';

/** What the registry has no use for does not leave the house. */
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

/** RFC 5733 2.9: everything that can be kept back is named, in the forms in which it was sent. */
function hidden(contact: RegistryContact): Disclose {
  const types = postalInfo(contact).map((info) => info.type);
  return { flag: false, name: types, org: types, addr: types, voice: true, fax: true, email: true };
}

/** What a contact declares, where the registry has a form for it. */
function declarationsOf(s: Sender, contact: RegistryContact) {
  const [us, asia] = [usNexus(contact.extra), asiaCed(contact.extra)];
  return {
    ...(us && s.profile.namespaces.usNexus ? { us } : {}),
    ...(asia && s.profile.namespaces.asiaCed ? { asia } : {}),
  };
}

export function contactCommands(s: Sender): ContactCommands {
  const extras = (contact: RegistryContact) => declarationsOf(s, contact);
  const { withheld } = s.profile.contacts;
  const voiceOf = ({ voice }: RegistryContact) => (withheld?.includes('voice') ? {} : { voice: { number: voice } });
  return {
    contactInfo: (handle, context) =>
      reply({
        send: () => s.pool.send({ object: 'contact', verb: 'info', id: handle }, s.options(context)),
        absent: { value: null },
        read: (data) => (data ? { handle: data.id, isHidden: data.disclose?.flag === false } : null),
      }),
    createContact(whole, context) {
      const contact = lessOf(whole, withheld);
      return reply({
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
              // Contacts are never transferred: nobody will need it.
              authInfo: { pw: newSecret({ ...s.profile.rules, ...s.profile.contacts }, s.chance) },
              ...(contact.isHidden ? { disclose: hidden(contact) } : {}),
              ext: extras(contact),
            },
            s.options(context),
          ),
        read: () => null,
      });
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
              ext: extras(contact),
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
