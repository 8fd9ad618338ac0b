import { type Call, extraOf, flagOf, type Input, isObject, Refused, type State, textOf } from './call.ts';
import { autorenewOf, handleFields, ownDomain, readHandles, readNameservers } from './order-calls.ts';
import { statusOf } from './rows.ts';

const updateDomain: Call = {
  name: 'updateDomain',
  method: 'PUT',
  path: '/domains/{id}',
  takes: [
    'id',
    'domain',
    ...handleFields,
    'name_servers',
    'ns_group',
    'autorenew',
    'comments',
    'auth_code',
    'is_locked',
    'is_private_whois_enabled',
    'additional_data',
  ],
  run(state, input, fault) {
    const domain = ownDomain(state, input);
    if (domain.status !== 'active') throw new Refused(318, 'The status of the domain does not allow a change');
    const handles = readHandles(state, input, domain.name, []);
    const nameservers = readNameservers(input);
    const locked = flagOf(state, input, 'is_locked', domain.locked);
    const privacy = flagOf(state, input, 'is_private_whois_enabled', domain.privacy);
    const extra = extraOf(state, domain.id);
    if (input.body.autorenew !== undefined) {
      extra.autorenew = autorenewOf(input);
      domain.autoRenew = extra.autorenew !== 'off';
    }
    if (typeof input.body.comments === 'string') extra.comments = input.body.comments;
    state.portfolio.change(
      domain,
      `Change of ${domain.name}`,
      (each) => {
        each.contacts = { ...each.contacts, ...handles };
        each.nameservers = nameservers ?? each.nameservers;
        each.locked = locked;
        each.privacy = privacy;
        if (typeof input.body.auth_code === 'string') each.authCode = input.body.auth_code;
      },
      fault,
    );
    return { id: Number(domain.id), status: statusOf(state, domain) };
  },
};

const customerFields = [
  'name',
  'company_name',
  'email',
  'phone',
  'fax',
  'address',
  'additional_data',
  'extension_additional_data',
  'vat',
  'locale',
  'comments',
  'tags',
];

/** The required parts of a customer (CustomerCreateCustomerRequest and the WHMCS module). */
function checkCustomer({ settings }: State, input: Input): void {
  const parts: Readonly<Record<string, readonly string[]>> = {
    name: ['first_name', 'last_name'],
    phone: ['country_code', 'subscriber_number'],
    address: ['street', 'city', 'zipcode', 'country'],
  };
  textOf(input, 'email');
  for (const [part, fields] of Object.entries(parts)) {
    const value = input.body[part];
    const missing = fields.find((field) => !isObject(value) || typeof value[field] !== 'string' || value[field] === '');
    if (missing !== undefined && settings.form === 'strict')
      throw new Refused(140, `The ${part}.${missing} is required`);
  }
}

function ownCustomer({ customers }: State, { id }: Input) {
  const customer = customers.get(id);
  if (!customer || customer.isDeleted) throw new Refused(118, 'The customer does not exist');
  return customer;
}

export const changeCalls: readonly Call[] = [
  updateDomain,
  {
    name: 'resetAuthCode',
    method: 'POST',
    path: '/domains/{id}/authcode/reset',
    takes: ['id', 'domain', 'auth_code_type', 'sending_type'],
    run(state, input) {
      const domain = ownDomain(state, input);
      domain.authCode = state.code();
      return { auth_code: domain.authCode, success: true, type: 'external' };
    },
  },
  {
    name: 'createCustomer',
    method: 'POST',
    path: '/customers',
    takes: customerFields,
    run(state, input) {
      checkCustomer(state, input);
      const handle = state.nextHandle();
      state.customers.set(handle, { handle, fields: input.body, isDeleted: false });
      return { handle };
    },
  },
  {
    name: 'getCustomer',
    method: 'GET',
    path: '/customers/{id}',
    takes: ['with_additional_data'],
    run(state, input) {
      const { handle, fields } = ownCustomer(state, input);
      return { handle, ...fields };
    },
  },
  {
    name: 'deleteCustomer',
    method: 'DELETE',
    path: '/customers/{id}',
    takes: [],
    run(state, input) {
      const customer = ownCustomer(state, input);
      const isUsed = [...state.portfolio.domains.values()].some(
        ({ status, contacts }) => status === 'active' && Object.values(contacts).includes(customer.handle),
      );
      if (isUsed) throw new Refused(119, 'The customer is in use');
      customer.isDeleted = true;
      return { success: true };
    },
  },
];
