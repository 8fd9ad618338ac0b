import type { ContactCreateRequest, DomainCreateRequest } from '@namehold/epp';
import { sandboxNameservers } from '@namehold/sandbox';
import type { Client } from './sandbox.ts';

let counter = 0;
export const newLabel = (prefix = 'name'): string => `${prefix}-${process.pid}-${counter++}`;

/** Strong enough for RFC 9154. */
export const strongPw = 'Qz7-kLm2_Xw9+tRb4vN8';

export const newContact = (id: string): ContactCreateRequest => ({
  object: 'contact',
  verb: 'create',
  id,
  postal: [
    {
      type: 'int',
      name: 'Ada Example',
      org: 'Example Ltd',
      addr: { street: ['1 Main Street'], city: 'London', pc: 'N1 1AA', cc: 'GB' },
    },
  ],
  voice: { number: '+44.2071234567' },
  email: 'ada@example.org',
  authInfo: { pw: '' },
});

export async function makeContact(client: Client, prefix = 'c'): Promise<string> {
  const id = `${prefix}${process.pid}x${counter++}`.slice(0, 16);
  await client.done(newContact(id));
  return id;
}

/** A create for a thick TLD with host objects. */
export const newDomain = (
  name: string,
  contact: string,
  more: Partial<DomainCreateRequest> = {},
): DomainCreateRequest => ({
  object: 'domain',
  verb: 'create',
  name,
  period: { value: 1, unit: 'y' },
  ns: { model: 'objects', hosts: [...sandboxNameservers] },
  registrant: contact,
  contacts: [
    { type: 'admin', id: contact },
    { type: 'tech', id: contact },
  ],
  authInfo: { pw: '' },
  ...more,
});

export async function makeDomain(
  client: Client,
  name: string,
  more: Partial<DomainCreateRequest> = {},
): Promise<string> {
  await client.done(newDomain(name, await makeContact(client), more));
  return name;
}
