import { contactFields, page } from './answers.ts';
import type { Call, Contact, State } from './call.ts';
import { type Parameters, Refused } from './parameters.ts';

const addressKeys = ['name', 'company', 'address-line-1', 'city', 'country', 'zipcode', 'phone-cc', 'phone'];
const optionalAddressKeys = ['address-line-2', 'address-line-3', 'state', 'other-state', 'fax-cc', 'fax'];
const optionalCustomerKeys = [
  ...optionalAddressKeys,
  'alt-phone-cc',
  'alt-phone',
  'mobile-cc',
  'mobile',
  'sales-contact-id',
  'accounting-currency-symbol',
  'selling-currency-symbol',
  'request-headers',
  'sms-consent',
  'email-marketing-consent',
  'accept-policy',
];

function address(parameters: Parameters, others: readonly string[]): Record<string, string> {
  const keys = [...addressKeys, ...others];
  for (const key of keys) parameters.text(key);
  if (!/^[A-Z]{2}$/.test(parameters.text('country'))) throw new Refused('{country=country is invalid}');
  if (!/^\d{1,3}$/.test(parameters.text('phone-cc'))) throw new Refused('{telnocc=telnocc is invalid}');
  if (!/^\d{4,12}$/.test(parameters.text('phone'))) throw new Refused('{telno=telno must be 4 to 12 digits}');
  return Object.fromEntries(
    [...keys, ...optionalAddressKeys].flatMap((key) => {
      const value = parameters.optional(key);
      return value === undefined || value === '' ? [] : [[key, value]];
    }),
  );
}

function contactOf(state: State, parameters: Parameters): Contact {
  const id = parameters.text('contact-id');
  const found = state.contacts.get(id);
  if (!found) throw new Refused(`Invalid contact-id: No Entity found for Entityid: ${id}`);
  return found;
}

/** Attributes that one of the TLDs of this contact type needs. */
function checkAttributes({ settings }: State, type: string, attributes: Record<string, string>): void {
  const needed = Object.values(settings.tlds).filter(({ contactType = 'Contact' }) => contactType === type);
  if (needed.length === 0 && type !== 'Contact') throw new Refused('{type=type is invalid}');
  for (const key of new Set(needed.flatMap(({ contactAttributes = [] }) => contactAttributes)))
    if (!attributes[key]) throw new Refused(`{${key}=Required parameter missing: ${key}}`);
}

const add: Call = {
  method: 'POST',
  required: [...addressKeys, 'email', 'type', 'customer-id'],
  optional: optionalAddressKeys,
  run(state, parameters) {
    const customer = parameters.text('customer-id');
    if (!state.customers.has(customer)) throw new Refused('Invalid customer-id');
    const fields = address(parameters, ['email']);
    const [type, attributes] = [parameters.text('type'), parameters.attributes()];
    checkAttributes(state, type, attributes);
    const id = state.nextId();
    state.contacts.set(id, { id, customer, type, fields, attributes, deleted: false });
    return Number(id);
  },
};

const search: Call = {
  method: 'GET',
  required: ['customer-id', 'no-of-records', 'page-no'],
  optional: ['contact-id', 'status', 'name', 'company', 'email', 'type'],
  run(state, parameters) {
    const isWanted = (key: string, value: string | undefined) => {
      const wanted = parameters.optional(key)?.toLowerCase();
      return wanted === undefined || (value ?? '').toLowerCase().includes(wanted);
    };
    const found = [...state.contacts.values()].filter(
      (each) =>
        each.customer === parameters.text('customer-id') &&
        !each.deleted &&
        (parameters.optional('type') ?? each.type) === each.type &&
        ['name', 'company', 'email'].every((key) => isWanted(key, each.fields[key])),
    );
    const [number, size] = [parameters.number('page-no'), parameters.number('no-of-records')];
    const shown = Object.values(page(found, number, size, listedContact)).slice(0, -2);
    // The records of this list are an array, unlike those of other lists.
    return { recsonpage: String(shown.length), recsindb: String(found.length), result: shown };
  },
};

function listedContact(contact: Contact): Record<string, unknown> {
  return {
    'entity.entityid': contact.id,
    'entity.customerid': contact.customer,
    'entity.currentstatus': 'Active',
    'contact.contactid': contact.id,
    'contact.type': contact.type,
    'contact.name': contact.fields.name,
    'contact.company': contact.fields.company,
    'contact.emailaddr': contact.fields.email,
  };
}

const modify: Call = {
  method: 'POST',
  required: ['contact-id', ...addressKeys, 'email'],
  optional: optionalAddressKeys,
  run(state, parameters) {
    const contact = contactOf(state, parameters);
    if (!state.settings.contactsModify)
      throw new Refused('Contact modification is not allowed. Add a new contact and associate it with the domain');
    state.contacts.set(contact.id, { ...contact, fields: address(parameters, ['email']) });
    return { entityid: contact.id, actionstatus: 'Success', status: 'Success' };
  },
};

const signup: Call = {
  method: 'POST',
  required: ['username', 'passwd', ...addressKeys, 'lang-pref'],
  optional: optionalCustomerKeys,
  run(state, parameters) {
    const username = parameters.text('username');
    const fields = address(parameters, ['lang-pref']);
    if ([...state.customers.values()].some((each) => each.username === username))
      throw new Refused(`{customer=${username} is already a customer}`);
    const id = state.nextId();
    state.customers.set(id, { id, username, fields });
    return Number(id);
  },
};

function customerFields(state: State, id: string): object {
  const { username, fields } = state.customers.get(id)!;
  const { contactid, contactstatus, contacttype, type, emailaddr, ...address } = contactFields({
    id,
    customer: id,
    type: 'Contact',
    deleted: false,
    fields,
    attributes: {},
  });
  return { ...address, username, useremail: username, langpref: fields['lang-pref'], customerstatus: 'Active' };
}

export const contactCalls: Readonly<Record<string, Call>> = {
  'contacts/add': add,
  'contacts/search': search,
  'contacts/modify': modify,
  'contacts/details': {
    method: 'GET',
    required: ['contact-id'],
    run: (state, parameters) => contactFields(contactOf(state, parameters)),
  },
  'contacts/delete': {
    method: 'POST',
    required: ['contact-id'],
    run(state, parameters) {
      const contact = contactOf(state, parameters);
      if ([...state.portfolio.domains.values()].some(({ contacts }) => Object.values(contacts).includes(contact.id)))
        throw new Refused('Contact is associated with an active order', 'error');
      contact.deleted = true;
      return { entityid: contact.id, actionstatus: 'Success', status: 'Success' };
    },
  },
  'contacts/default': {
    method: 'POST',
    required: ['customer-id', 'type'],
    run(state, parameters) {
      const [customer, type] = [parameters.text('customer-id'), parameters.text('type')];
      const first = [...state.contacts.values()].find(
        (each) => each.customer === customer && each.type === type && !each.deleted,
      );
      if (!first) throw new Refused('No default contact found');
      const roles = ['registrant', 'admin', 'tech', 'billing'];
      return { [type]: Object.fromEntries(roles.map((role) => [role, first.id])) };
    },
  },
  'contacts/dotca/registrantagreement': {
    method: 'GET',
    required: [],
    run: () => ({ version: '2.0', agreement: 'The agreement of the registry.' }),
  },
  'customers/signup': signup,
  'customers/v2/signup': signup,
  'customers/details': {
    method: 'GET',
    required: ['username'],
    run(state, parameters) {
      const username = parameters.text('username');
      const found = [...state.customers.values()].find((each) => each.username === username);
      if (!found) throw new Refused(`Customer ${username} not found`);
      return customerFields(state, found.id);
    },
  },
  'customers/details-by-id': {
    method: 'GET',
    required: ['customer-id'],
    run(state, parameters) {
      const id = parameters.text('customer-id');
      if (!state.customers.has(id)) throw new Refused(`Invalid customer-id: ${id}`);
      return customerFields(state, id);
    },
  },
};
