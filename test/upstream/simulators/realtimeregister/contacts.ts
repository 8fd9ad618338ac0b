import { isHeld } from '../portfolio.ts';
import { listed } from './lists.ts';
import { badField, type Contact, type Fields, notFound, Refused, type Route, type State } from './state.ts';
import { contactView } from './views.ts';

const required = ['name', 'addressLine', 'postalCode', 'city', 'country', 'email', 'voice'];
const optional = ['brand', 'organization', 'state', 'fax', 'disclosedFields', 'validations', 'verifications'];
const phone = /^\+[0-9]{1,3}\.[0-9]{1,14}$/;

function checkFields(body: Fields): void {
  const { addressLine, country, voice, fax, email } = body;
  const lines = Array.isArray(addressLine) ? addressLine.length : 0;
  if (addressLine !== undefined && (lines < 1 || lines > 3)) throw badField('addressLine', 'Must have 1 to 3 lines');
  if (country !== undefined && !/^[A-Z]{2}$/.test(String(country))) throw badField('country', 'Must be a country code');
  if (email !== undefined && !String(email).includes('@')) throw badField('email', 'Must be an email address');
  for (const [field, number] of Object.entries({ voice, fax }))
    if (number !== undefined && !phone.test(String(number)))
      throw badField(field, 'Must be a number such as +31.384530759');
}

function contactOf(state: State, path: readonly string[]): Contact {
  checkOwner(state, path);
  const found = state.contacts.get(path[3]!);
  if (!found) throw notFound(`Contact ${path[3]}`);
  return found;
}

export function checkOwner({ settings }: State, path: readonly string[]): void {
  if (path[1] !== settings.customer) throw new Refused('AuthorizationError', 'The customer is not yours', {}, 403);
}

const create: Route = {
  call: 'createContact',
  method: 'POST',
  path: 'customers/*/contacts/*',
  required,
  optional,
  run(state, { path, body }) {
    checkOwner(state, path);
    const handle = path[3]!;
    if (!/^[a-zA-Z0-9\-_@.]{3,40}$/.test(handle)) throw badField('handle', 'Must be a handle');
    if (state.contacts.has(handle)) throw new Refused('ObjectExists', `Contact ${handle} already exists`);
    checkFields(body);
    state.contacts.set(handle, { handle, fields: body, properties: {}, createdAt: state.clock.now() });
    return { status: 201 };
  },
};

const update: Route = {
  call: 'updateContact',
  method: 'POST',
  path: 'customers/*/contacts/*/update',
  optional: [...required, ...optional, 'designatedAgent'],
  run(state, { path, body }) {
    const contact = contactOf(state, path);
    checkFields(body);
    contact.fields = { ...contact.fields, ...body };
    return { status: 200 };
  },
};

const setProperties = (call: string, suffix: string, isNew: boolean): Route => ({
  call,
  method: 'POST',
  path: `customers/*/contacts/*/*${suffix}`,
  required: ['properties'],
  optional: ['intendedUsage'],
  run(state, { path, body }) {
    const contact = contactOf(state, path);
    const registry = path[4]!;
    const isPresent = contact.properties[registry] !== undefined;
    if (isNew && isPresent) throw new Refused('ObjectExists', `The properties of ${registry} exist`);
    if (!isNew && !isPresent) throw notFound(`Properties of ${registry}`);
    contact.properties[registry] = body.properties as Record<string, string>;
    return { status: 200 };
  },
});

const remove: Route = {
  call: 'deleteContact',
  method: 'DELETE',
  path: 'customers/*/contacts/*',
  run(state, { path }) {
    const { handle } = contactOf(state, path);
    const isUsed = [...state.portfolio.domains.values()].some(
      (domain) => isHeld(domain) && Object.values(domain.contacts).includes(handle),
    );
    if (isUsed) throw new Refused('ObjectStatusProhibitsOperation', 'The contact is in use');
    state.contacts.delete(handle);
    return { status: 204 };
  },
};

export const contactRoutes: readonly Route[] = [
  create,
  update,
  setProperties('addContactProperties', '', true),
  setProperties('updateContactProperties', '/update', false),
  remove,
  {
    call: 'getContact',
    method: 'GET',
    path: 'customers/*/contacts/*',
    run: (state, { path }) => ({ status: 200, body: contactView(state, contactOf(state, path)) }),
  },
  {
    call: 'listContacts',
    method: 'GET',
    path: 'customers/*/contacts',
    run(state, asked) {
      checkOwner(state, asked.path);
      const found = [...state.contacts.values()].map((contact) => contactView(state, contact));
      return listed(state, asked, found, ['handle', 'name', 'organization', 'email', 'country']);
    },
  },
];
