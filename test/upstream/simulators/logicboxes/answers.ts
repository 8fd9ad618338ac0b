import { epochSeconds } from '../clock.ts';
import { decimal } from '../ledger.ts';
import type { OrderState, SimulatedDomain, SimulatedOrder, Verb } from '../portfolio.ts';
import { type Contact, rulesOf, type State } from './call.ts';

const actionTypes: Record<Verb, string> = {
  register: 'AddNewDomain',
  renew: 'RenewDomain',
  transfer: 'AddTransferDomain',
  restore: 'RestoreDomain',
  delete: 'DelDomain',
  change: 'ModDomain',
};

const actionStatuses: Record<OrderState, string> = {
  open: 'InvoicePaid',
  saved: 'PendingExecution',
  in_doubt: 'NoError',
  done: 'Success',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const seconds = (at: number): string => String(epochSeconds(at));

/** The status of an order in the documents' terms. */
export function currentStatus(domain: SimulatedDomain): string {
  if (domain.status === 'active') return domain.suspended ? 'Suspended' : 'Active';
  if (domain.status === 'redemption') return 'Pending Delete Restorable';
  return domain.status === 'pending' ? 'InActive' : 'Deleted';
}

/** The fields that an action adds to an answer. */
function actionFields(order: SimulatedOrder): Record<string, unknown> {
  return {
    eaqid: order.id,
    actiontype: actionTypes[order.verb],
    actiontypedesc: order.text,
    actionstatus: actionStatuses[order.state],
    actionstatusdesc: order.state === 'done' ? 'Action completed successfully' : order.text,
  };
}

/** The answer to an order: `NoInvoice` names no amount. */
export function orderAnswer(state: State, order: SimulatedOrder, invoiceOption: string): Record<string, unknown> {
  const invoice = {
    invoiceid: order.id,
    sellingcurrencysymbol: state.ledger.currency,
    sellingamount: `-${decimal(order.cost)}`,
    unutilisedsellingamount: `-${decimal(order.cost)}`,
    customerid: state.portfolio.byId(order.domainId)!.customer,
  };
  return {
    description: order.domain,
    entityid: order.domainId,
    ...actionFields(order),
    status: order.state === 'done' ? 'Success' : order.state === 'failed' ? 'Failed' : actionStatuses[order.state],
    ...(invoiceOption === 'NoInvoice' ? {} : invoice),
  };
}

export function contactFields(contact: Contact): Record<string, unknown> {
  const { fields, attributes } = contact;
  const optional = (name: string, key: string) => (fields[key] ? { [name]: fields[key] } : {});
  return {
    contactid: contact.id,
    customerid: contact.customer,
    currentstatus: contact.deleted ? 'Deleted' : 'Active',
    contactstatus: contact.deleted ? 'Deleted' : 'Active',
    type: contact.type,
    contacttype: [],
    name: fields.name,
    company: fields.company,
    emailaddr: fields.email,
    address1: fields['address-line-1'],
    ...optional('address2', 'address-line-2'),
    ...optional('address3', 'address-line-3'),
    city: fields.city,
    ...optional('state', 'state'),
    country: fields.country,
    zip: fields.zipcode,
    telnocc: fields['phone-cc'],
    telno: fields.phone,
    ...attributes,
  };
}

const roleNames = { reg: 'registrant', admin: 'admin', tech: 'tech', billing: 'billing' } as const;

/** Sections of the details that `options` chooses. */
export function detailSections(state: State, domain: SimulatedDomain): Record<string, Record<string, unknown>> {
  const open = state.portfolio.openOrder(domain.id) ?? state.portfolio.ordersOf(domain.id).at(-1);
  const isDated = domain.status !== 'pending' && domain.status !== 'failed';
  const contacts = Object.entries(roleNames).map(([role, name]) => ({ name, id: domain.contacts[role] ?? '-1' }));
  const sections: Record<string, Record<string, unknown>> = {
    OrderDetails: {
      orderid: domain.id,
      entityid: domain.id,
      description: domain.name,
      domainname: domain.name,
      customerid: domain.customer,
      currentstatus: currentStatus(domain),
      productcategory: 'domorder',
      productkey: rulesOf(state, domain.name).product,
      gdpr: { enabled: 'true', eligible: 'true' },
      isImmediateReseller: 'true',
      parentkey: `999999999_${state.settings.resellerId}`,
      isprivacyprotected: String(domain.privacy),
      allowdeletion: 'true',
      isOrderSuspendedUponExpiry: 'false',
      orderSuspendedByParent: 'false',
      recurring: String(domain.autoRenew),
      domsecret: domain.authCode,
      ...(isDated ? { creationtime: seconds(domain.createdAt), endtime: seconds(domain.expiresAt!) } : {}),
      ...(open && open.state !== 'done' ? actionFields(open) : {}),
    },
    StatusDetails: { currentstatus: currentStatus(domain) },
    DomainStatus: {
      domainstatus: [],
      orderstatus: [...(domain.locked ? ['transferlock'] : []), ...(domain.suspended ? ['resellersuspend'] : [])],
      raaVerificationStatus: 'Verified',
    },
    ContactIds: Object.fromEntries(contacts.map(({ name, id }) => [`${name}contactid`, id])),
    NsDetails: {
      noOfNameServers: String(domain.nameservers.length),
      ...Object.fromEntries(domain.nameservers.map((host, place) => [`ns${place + 1}`, host])),
      cns: domain.hosts,
    },
    DNSSECDetails: { dnssec: domain.dnssec },
  };
  for (const { name, id } of contacts) {
    const contact = state.contacts.get(id);
    const section = `${name[0]!.toUpperCase()}${name.slice(1)}ContactDetails`;
    sections[section] = contact ? { [`${name}contact`]: contactFields(contact) } : {};
  }
  return sections;
}

/** One record of a list: all values are texts. */
export function listedDomain(state: State, domain: SimulatedDomain): Record<string, string> {
  const { product } = rulesOf(state, domain.name);
  const isDated = domain.status !== 'pending' && domain.status !== 'failed';
  return {
    'orders.orderid': domain.id,
    'entity.entityid': domain.id,
    'entity.customerid': domain.customer,
    'entity.description': domain.name,
    'entity.currentstatus': currentStatus(domain),
    'entitytype.entitytypekey': product,
    'entitytype.entitytypename': product,
    'orders.autorenew': String(domain.autoRenew),
    'orders.privacyprotection': String(domain.privacy),
    'orders.resellerlock': 'false',
    'orders.customerlock': 'false',
    'orders.transferlock': String(domain.locked),
    'orders.timestamp': new Date(domain.createdAt).toISOString().slice(0, 19).replace('T', ' '),
    'orders.creationdt': seconds(domain.createdAt),
    ...(isDated
      ? { 'orders.creationtime': seconds(domain.createdAt), 'orders.endtime': seconds(domain.expiresAt!) }
      : {}),
  };
}

export function listedAction(order: SimulatedOrder): Record<string, unknown> {
  return {
    entityid: order.domainId,
    entitytypeid: '3',
    ...actionFields(order),
    actionadded: seconds(order.at),
    actionstarted: seconds(order.at),
    ...(order.doneAt === null ? {} : { actioncompleted: seconds(order.doneAt) }),
  };
}

/** A list as LogicBoxes sends it: numbered records and two counts. */
export function page<T>(found: readonly T[], number: number, size: number, show: (each: T) => unknown): object {
  const records = found.slice((number - 1) * size, number * size);
  return {
    recsonpage: String(records.length),
    recsindb: String(found.length),
    ...Object.fromEntries(records.map((each, place) => [String(place + 1), show(each)])),
  };
}
