import { keyFor } from '../../support/resellers.ts';
import type { Example } from '../example.ts';

const shown = ['operation_id', 'state', 'domain_name', 'attention', 'approval'];

/** A change that waits for the approval of another key. */
export const securityExamples: readonly Example[] = [
  {
    kind: 'http',
    name: 'second-yes-on',
    method: 'PUT',
    path: '/v1/account/security',
    json: { approvals: ['nameservers', 'auth_code', 'unlock', 'delete'] },
    keep: ['approvals', 'theft_protection'],
    before: async (t, values) => {
      values.second = await keyFor(t, '1000');
    },
  },
  {
    kind: 'http',
    name: 'second-yes-asked',
    method: 'DELETE',
    path: '/v1/domains/first-shop.com/theft_protection',
    status: 202,
    showHeaders: ['Location'],
    remember: (body, values) => {
      values.waiting = body.operation_id;
    },
  },
  {
    kind: 'http',
    name: 'second-yes-waiting',
    path: (values) => `/v1/operations/${values.waiting}`,
    keep: shown,
  },
  {
    kind: 'http',
    name: 'second-yes-own',
    method: 'POST',
    path: (values) => `/v1/operations/${values.waiting}/approve`,
    status: 409,
  },
  {
    kind: 'http',
    name: 'second-yes-given',
    method: 'POST',
    path: (values) => `/v1/operations/${values.waiting}/approve`,
    as: 'second',
    keep: shown,
  },
];
