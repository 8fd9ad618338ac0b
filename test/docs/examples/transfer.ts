import { done, type OtherRegistrar, openOtherRegistrar } from '../../support/other-registrar.ts';
import type { TestService } from '../../support/service.ts';
import type { Example } from '../example.ts';

const contacts = {
  customer_id: '2001',
  registrant_contact_id: '3001',
  admin_contact_id: '3001',
  tech_contact_id: '3002',
  billing_contact_id: '3001',
};
const code = 'xK7-pQ2mWz9_Lr4tYb8.Hn3c';

async function atOtherRegistrar(
  t: TestService,
  act: (otherRegistrar: OtherRegistrar) => Promise<unknown>,
): Promise<void> {
  const otherRegistrar = openOtherRegistrar(t.service.credentials!.rival_registry_account!);
  await act(otherRegistrar).finally(() => otherRegistrar.close());
}

/** A domain that is transferred in from another registrar. */
export const transferExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'transfer-check',
    method: 'POST',
    path: '/v1/domains/transfer/validity',
    form: { domain_name: 'moving-shop.cc', auth_code: code },
    before: (t) =>
      atOtherRegistrar(t, async (otherRegistrar) => {
        for (const name of ['moving-shop.cc', 'other-shop.cc', 'young-shop.com']) await otherRegistrar.hold(name, code);
        const lock = { addStatuses: ['clientTransferProhibited'] };
        done(await otherRegistrar.registry.update('young-shop.com', lock, { priority: 'money' }));
      }),
  },
  {
    kind: 'http',
    name: 'transfer-check-no',
    method: 'POST',
    path: '/v1/domains/transfer/validity',
    form: { domain_name: 'young-shop.com' },
    status: 400,
  },
  {
    kind: 'http',
    name: 'transfer-order',
    path: '/v1/domains/transfer',
    headers: { 'Idempotency-Key': 'transfer-1' },
    form: { domain_name: 'moving-shop.cc', auth_code: code, ...contacts, invoice_option: 'no_invoice' },
    status: 202,
    showHeaders: ['Location'],
    remember: (body, values) => {
      values.transferred = body.domain_id;
    },
  },
  {
    kind: 'http',
    name: 'transfer-pending',
    path: (values) => `/v1/domains/${values.transferred}`,
    keep: ['domain_id', 'order_status', 'transfer'],
  },
  {
    kind: 'http',
    name: 'transfer-wrong-code',
    path: '/v1/domains/transfer',
    form: { domain_name: 'other-shop.cc', auth_code: 'not-the-right-one', ...contacts, invoice_option: 'no_invoice' },
    status: 202,
    keep: ['domain_id', 'operation_id', 'status', 'operation_state'],
    remember: (body, values) => {
      values.miscoded = body.domain_id;
    },
  },
  {
    kind: 'http',
    name: 'transfer-new-code',
    method: 'PUT',
    path: (values) => `/v1/domains/${values.miscoded}/transfer/auth_code`,
    json: { auth_code: code },
    status: 202,
    keep: ['domain_id', 'operation_id', 'status', 'operation_state'],
  },
  {
    kind: 'http',
    name: 'transfer-cancel',
    method: 'POST',
    path: (values) => `/v1/domains/${values.miscoded}/transfer/cancel`,
    after: (t, values) =>
      atOtherRegistrar(t, async (otherRegistrar) => {
        done(await otherRegistrar.registry.approveTransfer('moving-shop.cc', { priority: 'money' }));
        await t.call('POST', `/v1/domains/${values.transferred}/transfer/cancel`);
      }),
  },
];
