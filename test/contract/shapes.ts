import { each, keys, listOf, mapOf, nullOr, type Shape } from './shape.ts';

const address = {
  ...each('address_line_1 address_line_2 address_line_3 city state country_code zipcode tel_cc_no tel_no', 'text'),
};
const furtherPhones = each('alt_tel_cc_no alt_tel_no mobile_cc_no mobile_no fax_cc_no fax_no', 'text or null');

/** Section 6.2 of the contract: all 25 keys. */
const customer = keys({
  ...each('customer_id reseller_id', 'id'),
  ...each('status email name company country_name lang_id', 'text'),
  creation_date: 'time',
  total_receipts: 'money',
  ...address,
  ...furtherPhones,
});

/** Section 6.3. */
const contact = keys({
  ...each('contact_id customer_id', 'id'),
  ...each('status name company email country', 'text'),
  ...address,
  ...each('fax_cc_no fax_no', 'text or null'),
  ...each('eligibility_criteria extra', 'anything'),
});

/** Section 6.8. */
const reseller = keys({
  reseller_id: 'id',
  parent_reseller_id: nullOr('id'),
  ...each('status email name company selling_currency accounting_currency lang_id', 'text'),
  ...each('brand_name parentselling_currency', 'text or null'),
  creation_date: 'time',
  total_receipts: 'money',
  ...address,
  ...furtherPhones,
});

/** Section 6.4: both generations of keys. */
const domain = {
  ...each('domain_id order_id reseller_id customer_id', 'id'),
  ...each('domain_name tld_id order_status_id order_status attr', 'text'),
  ...each('start_date end_date expiry_date creation_time last_update', 'time or null'),
  ...each('reg_contact_id adm_contact_id bill_contact_id tech_contact_id', 'text or null'),
  ...each('registrant_contact_id admin_contact_id billing_contact_id', 'text or null'),
  ...each('is_privacy is_lock is_suspend is_theft_protection', '"0" or "1"'),
  ...each('suspended', 'boolean'),
  auth_code: nullOr('text'),
  ...each('ns1 ns2 ns3 ns4 ns5 ns6 ns7 ns8 ns9 ns10 ns11 ns12 ns13', nullOr('text')),
};
const domainRow = keys({ ...domain, locked: 'boolean' });
const domainDetail = keys({
  ...domain,
  end_time: 'time or null',
  ...each('theft_protection privacy_protection_enabled', '"true" or "false"'),
  ...each('registrant_contact admin_contact adm_contact tech_contact billing_contact', nullOr(contact)),
  cns: listOf(keys(each('hostname ip', 'text'))),
});

/** Section 6.6. */
const transaction = keys({
  transaction_id: 'id',
  ...each('transaction_type description status', 'text'),
  ...each('amount balance', 'number'),
  date: 'time',
});
const order = keys(each('domain_id transaction_id order_id', 'id'));
const renewal = keys({ ...each('domain_id transaction_id order_id', 'id'), expiry_date: 'time or null' });

/** Section 6.7: one body for both readers. */
const years = mapOf('money');
const prices = mapOf(
  keys({
    ...each('tld_label label tld_name tld_key tld_pref min_duration', 'text'),
    create: years,
    renew: years,
    transfer: years,
    restore: years,
  }),
);
const balance: Shape = 'number';
const nameservers = mapOf('text');
const deleted = keys({ deleted: 'true' });
const record = keys({ ...each('hostname val', 'text') });
const host = keys(each('hostname ip', 'text'));
const forward = keys({
  url_dest: 'anything',
  ...each('is_url_masking is_subdomain_fwd is_path_fwd', '"0" or "1"'),
  ...each('meta_tags no_frames_content', 'anything'),
});
const mailForward = keys(each('email forward_to', 'text'));
const ds = keys(each('keytag algorithm digesttype digest', 'anything'));
const roles = keys(each('registrant_contact admin_contact tech_contact billing_contact', nullOr(contact)));

const switched = (name: string) => keys({ [name]: '"true" or "false"' });

function recordShapes(type: string): [string, Shape][] {
  const base = `/domains/{domain_id}/dns/${type}`;
  return [
    [`POST ${base}`, record],
    [`GET ${base}`, listOf(record)],
    [`DELETE ${base}/{hostname}/{value}`, deleted],
    [`PUT ${base}/{old_hostname}/{old_value}`, record],
  ];
}

/** The shape of every answer in the contract, by method and path. GUESSED marks our own assumptions, which bind us too. */
export const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['GET /account/profile', reseller],
  ['GET /account/balance', balance],
  ['GET /account/prices', prices],
  ['GET /account/transactions', listOf(transaction)],
  ['GET /account/transactions/{transaction_id}', transaction],

  ['GET /customers/{customer_id}/balance', balance],
  ['GET /customers/{customer_id}/transactions', listOf(transaction)],
  ['GET /customers/{customer_id}/transactions/{transaction_id}', transaction],
  ['POST /customers/{customer_id}/transactions/fund', transaction],
  ['POST /customers/{customer_id}/transactions/debit_note', transaction],
  ['POST /customers/{customer_id}/transactions/cancel', transaction],
  ['POST /customers/{customer_id}/transactions/retry', transaction],
  ['POST /customers/{customer_id}/transactions/execute', transaction],
  ['POST /customers/{customer_id}/transactions/pay', transaction],
  ['POST /customers/{customer_id}/transactions/pay_add_only', transaction],
  ['GET /resellers/{reseller_id}/balance', balance],
  ['GET /resellers/{reseller_id}/transactions', listOf(transaction)],
  ['GET /resellers/{reseller_id}/transactions/{transaction_id}', transaction],
  ['POST /resellers/{reseller_id}/transactions/fund', transaction],
  ['POST /resellers/{reseller_id}/transactions/debit_note', transaction],

  ['GET /agreements/{type}', keys(each('type content', 'text'))],
  ['GET /countries', listOf(keys(each('country_code country_name', 'text')))],
  ['GET /countries/{country_code}/states', listOf(keys(each('state_code state_name', 'text')))],
  ['GET /currencies', listOf(keys(each('symbol name', 'text')))],
  ['GET /currencies/{symbol}', keys(each('symbol name', 'text'))],
  ['GET /tlds', mapOf(listOf(keys(each('label min_duration tld_name tld_key tld_label', 'text'))))],
  ['GET /tlds/{name}', keys({ name: 'text' })],

  ['POST /customers/{customer_id}/contacts', contact],
  ['GET /customers/{customer_id}/contacts', listOf(contact)],
  ['GET /customers/{customer_id}/contacts/default', roles],
  ['GET /customers/{customer_id}/contacts/{contact_id}', contact],
  ['PUT /customers/{customer_id}/contacts/{contact_id}', contact],
  ['DELETE /customers/{customer_id}/contacts/{contact_id}', keys({ contact_id: 'id', deleted: 'true' })],
  ['PUT /customers/{customer_id}/contacts/{contact_id}/extra', contact],
  [
    'GET /customers/{customer_id}/contacts/{contact_id}/validity/{eligibility_criteria}',
    keys({ contact_id: 'id', eligibility_criteria: 'text', valid: 'boolean' }),
  ],

  ['POST /customers', customer],
  ['GET /customers', listOf(customer)],
  ['GET /customers/prices', prices],
  ['GET /customers/temp_password', keys({ customer_id: 'id', temp_password: 'text' })],
  ['PUT /customers/totalreceipts', customer],
  ['GET /customers/{customer_id}', customer],
  ['PUT /customers/{customer_id}', customer],
  ['DELETE /customers/{customer_id}', keys({ customer_id: 'id', deleted: 'true' })],
  ['GET /customers/{customer_id}/ns/default', nameservers],

  ['POST /resellers', reseller],
  ['GET /resellers', listOf(reseller)],
  ['GET /resellers/prices', prices],
  ['GET /resellers/temp_password', keys({ reseller_id: 'id', temp_password: 'text' })],
  ['GET /resellers/{reseller_id}', reseller],
  ['PUT /resellers/{reseller_id}', reseller],
  ['DELETE /resellers/{reseller_id}', keys({ reseller_id: 'id', deleted: 'true' })],
  ['PUT /resellers/{reseller_id}/totalreceipts', reseller],

  ['POST /domains', order],
  ['GET /domains', listOf(domainRow)],
  ['GET /domains/availability', listOf(keys({ domain: 'text', status: 'text' }))],
  ['GET /domains/details-by-name', domainDetail],
  ['GET /domains/suggestion', mapOf(mapOf('text'))],
  ['POST /domains/transfer', order],
  ['POST /domains/transfer/validity', 'anything'],
  ['GET /domains/transfer/validity', 'anything'],
  ['GET /domains/{domain_id}', domainDetail],
  ['DELETE /domains/{domain_id}', keys({ domain_id: 'id', deleted: 'true' })],
  ['PUT /domains/{domain_id}/auth_code', keys({ domain_id: 'id' })],
  ['GET /domains/{domain_id}/auth_code', 'text'],
  ['POST /domains/{domain_id}/childns', host],
  ['GET /domains/{domain_id}/childns', listOf(host)],
  ['DELETE /domains/{domain_id}/childns/{hostname}/{ip_address}', deleted],
  ['PUT /domains/{domain_id}/childns/{old_hostname}/{old_ip_address}', host],
  ['PUT /domains/{domain_id}/contacts', keys({ domain_id: 'id' })],
  ['PUT /domains/{domain_id}/contacts-pending', keys({ domain_id: 'id' })],
  ['POST /domains/{domain_id}/dnssec', ds],
  ['GET /domains/{domain_id}/dnssec', listOf(ds)],
  ['DELETE /domains/{domain_id}/dnssec/{keytag}/{algorithm}/{digesttype}/{digest}', deleted],
  ['POST /domains/{domain_id}/irtp_verification/resend', keys({ domain_id: 'id' })],
  ['PUT /domains/{domain_id}/locked', switched('locked')],
  ['DELETE /domains/{domain_id}/locked', switched('locked')],
  ['GET /domains/{domain_id}/locked', 'boolean'],
  ['POST /domains/{domain_id}/move', keys({ domain_id: 'id' })],
  ['PUT /domains/{domain_id}/ns', nameservers],
  ['GET /domains/{domain_id}/ns', nameservers],
  ['GET /domains/{domain_id}/raa_verification', keys({ status: 'text' })],
  ['POST /domains/{domain_id}/raa_verification/resend', keys({ domain_id: 'id' })],
  ['POST /domains/{domain_id}/renew', renewal],
  ['POST /domains/{domain_id}/restore', order],
  ['PUT /domains/{domain_id}/suspended', switched('suspended')],
  ['DELETE /domains/{domain_id}/suspended', switched('suspended')],
  ['GET /domains/{domain_id}/suspended', keys({ suspended: 'anything', reason: 'anything' })],
  ['PUT /domains/{domain_id}/theft_protection', switched('theft_protection')],
  ['DELETE /domains/{domain_id}/theft_protection', switched('theft_protection')],
  ['GET /domains/{domain_id}/theft_protection', 'boolean'],
  ['POST /domains/{domain_id}/transfer/cancel', keys({ domain_id: 'id' })],
  ['POST /domains/{domain_id}/transfer/resend_approval_email', keys({ domain_id: 'id' })],

  ['PUT /domains/{domain_id}/privacy_protection', switched('privacy_protection_enabled')],
  ['DELETE /domains/{domain_id}/privacy_protection', switched('privacy_protection_enabled')],
  ['GET /domains/{domain_id}/privacy_protection', switched('privacy_protection_enabled')],
  ['POST /domains/{domain_id}/privacy_protection/buy', keys({ transaction_id: 'id' })],

  ...['cname', 'ip', 'ipv6', 'mx', 'ns', 'txt', 'srv'].flatMap(recordShapes),
  ['DELETE /domains/{domain_id}/dns/srv', deleted],
  ['PUT /domains/{domain_id}/dns/srv/{old_hostname}/{old_value}/{old_port}/{old_weight}/{old_priority}', record],
  ['PUT /domains/{domain_id}/dns/txt', record],
  ['DELETE /domains/{domain_id}/dns/txt', deleted],

  ['GET /domains/{domain_id}/domain_forwarding', forward],
  ['PUT /domains/{domain_id}/domain_forwarding', forward],
  ['POST /domains/{domain_id}/email_forwarding', mailForward],
  ['GET /domains/{domain_id}/email_forwarding', listOf(mailForward)],
  ['PUT /domains/{domain_id}/email_forwarding/catch_all', keys({ email: 'anything' })],
  ['GET /domains/{domain_id}/email_forwarding/catch_all', keys({ email: 'anything' })],
  ['GET /domains/{domain_id}/email_forwarding/{email}', mailForward],
  ['PUT /domains/{domain_id}/email_forwarding/{email}', mailForward],
  ['DELETE /domains/{domain_id}/email_forwarding/{email}', deleted],
]);
