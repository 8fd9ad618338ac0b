import { expect, test } from 'vitest';
import { routes } from '../../src/http/v1/index.ts';

/** Calls that a session may make without recent authentication, by the reason. A changing call that is not listed must require it. */
const withoutProof: Record<string, RegExp[]> = {
  'it has a history, and is taken back by it': [
    /\/dns\//,
    /\/zone\/(check|rollback|rrsets|file|apply_template)$/,
    /\/(domain_|email_|mail_)?forwarding(\/|$)/,
    /^\/mail_targets\//,
    /\/(childns|dnssec|ns|watched|suspended)(\/|$)/,
    /^\w+ \/operator\/alarms\/acknowledgement$/,
  ],
  'it guards, or gives back a right': [
    /^PUT .*\/(theft_protection|locked|privacy_protection)$/,
    /^DELETE \/account\/keys\//,
    /^DELETE \/(user_invitations|me|session)(\/|$)/,
    /\/(decline|reject|cancel|resend|resend_approval_email)$/,
    /^DELETE \/domains\/\{domain_id\}\/privacy_protection$/,
  ],
  'it spends what the account has, at its own price': [
    /^POST \/(domains|quotes)$/,
    /\/(renew|restore|buy|transfer|transfer\/validity|transfer\/auth_code)$/,
    /\/transactions\/(pay|pay_add_only|execute|retry)$/,
    /\/renewal_mode$/,
    /^POST \/(payments|account\/deposits)$/,
    /^POST \/moves(\/\{move_id\}\/accept)?$/,
  ],
  'it makes something that opens nothing yet, or takes away what is empty': [
    /^POST \/(customers|resellers|customers\/\{customer_id\}\/contacts)$/,
    /^DELETE \/(customers|resellers)\/\{\w+\}$/,
    /^DELETE \/customers\/\{customer_id\}\/contacts\//,
    /\/(extra|tax_id|totalreceipts|activate|ns\/default|contacts-pending|raa_verification)$/,
  ],
  'the call concerns presentation, documents or checks': [
    /^\w+ \/(brand|notices\/(texts|preview)|invoices|zone_templates)(\/|$)/,
    /^\w+ \/account\/zone_template$/,
    /^POST \/operator\/verify$/,
    /^PUT \/operator\/resellers\/\{reseller_id\}\/registrants$/,
  ],
  'the call itself authenticates': [
    /^\w+ \/(session|recovery|invitations)(\/|$)/,
    /^PUT \/me(\/password|\/passkeys\/\{passkey_id\})?$/,
  ],
};

test('every changing call requires recent authentication of a session, or is listed as exempt', () => {
  const reasons = Object.values(withoutProof).flat();
  const writing = routes.filter(({ method, isSandboxOnly, secret }) => (method !== 'GET' || secret) && !isSandboxOnly);
  const unjudged = writing
    .filter(({ sudo, isPublic }) => !sudo && !isPublic)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((call) => !reasons.some((reason) => reason.test(call)));
  expect(unjudged).toEqual([]);
  // None of the patterns matches a call that decides the ownership of a domain, an account or money.
  const asks = writing.filter(({ sudo }) => sudo).map(({ path }) => path);
  for (const path of [
    '/domains/{domain_id}/auth_code',
    '/domains/{domain_id}/move',
    '/domains/{domain_id}/contacts',
    '/customers/{customer_id}/contacts/{contact_id}',
    '/customers/{customer_id}/access',
    '/customers/{customer_id}/invitation',
    '/payments/{payment_id}/confirm',
    '/account/payment_providers/{provider}',
    '/resellers/{reseller_id}/transactions/fund',
    '/users',
    '/account/keys',
    '/brand/hosts',
    '/resellers/{reseller_id}',
    '/resellers/{reseller_id}/suspend',
    '/notices/brand',
    '/account/price_list',
    '/account/price_list/import',
    '/account/price_rules',
  ])
    expect(asks).toContain(path);
});
