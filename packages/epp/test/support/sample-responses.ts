import {
  ALL_NAMESPACES,
  type AnswerData,
  type BalanceInfData,
  type EppVerb,
  element,
  type ResponseSpec,
} from '../../src/index.ts';
import { EXTENSION_ANSWERS, EXTENSION_MESSAGES } from './sample-extensions.ts';
import { addresses, at, authInfo, disclose, ds, pending, postal, stamps, trn } from './sample-parts.ts';
import { REQUESTS } from './sample-requests.ts';

const done = (data?: AnswerData): ResponseSpec => ({
  results: [{ code: 1000 }],
  ...(data === undefined ? {} : { data }),
});
const chk = (object: 'domain' | 'host' | 'contact', a: string, b: string): ResponseSpec =>
  done({
    object,
    type: 'chkData',
    items: [
      { id: a, available: true },
      { id: b, available: false, reason: 'In use', lang: 'en' },
    ],
  });
const balance = (threshold: BalanceInfData['threshold']): ResponseSpec =>
  done({
    object: 'balance',
    type: 'infData',
    creditLimit: '1000.00',
    balance: '200.00',
    availableCredit: '800.00',
    threshold,
  });
const domainInfo = {
  object: 'domain',
  type: 'infData',
  name: 'example.com',
  roid: 'EXAMPLE1-REP',
  statuses: [{ value: 'ok' }],
  registrant: 'jd1234',
  contacts: [{ type: 'admin', id: 'sh8013' }],
  ns: { model: 'objects', hosts: ['ns1.example.com', 'ns1.example.net'] },
  hosts: ['ns1.example.com'],
  ...stamps,
  exDate: at('2030-04-03'),
  authInfo,
} as const;
const contactInfo = {
  object: 'contact',
  type: 'infData',
  id: 'sh8013',
  roid: 'SH8013-REP',
  statuses: [{ value: 'linked' }, { value: 'clientDeleteProhibited' }],
  postal,
  voice: { number: '+1.7035555555', extension: '1234' },
  email: 'jdoe@example.com',
  ...stamps,
  authInfo,
  disclose,
} as const;
const charged = { currency: 'USD', fees: [{ amount: '5.00' }], credits: [], balance: '-5.00', creditLimit: '1000.00' };

type SampleAnswer = { readonly verb: EppVerb; readonly spec: ResponseSpec };

const OWN: Readonly<Record<string, SampleAnswer>> = {
  'session/login': { verb: 'login', spec: done() },
  'session/login-loginSec': {
    verb: 'login',
    spec: {
      results: [{ code: 1000 }],
      ext: {
        loginSec: {
          events: [
            { type: 'password', level: 'warning', expiresAt: at('2026-12-25'), text: 'Password expires soon' },
            {
              type: 'stat',
              level: 'warning',
              name: 'failedLogins',
              value: '100',
              duration: 'P1D',
              text: 'Many failures',
            },
          ],
        },
      },
    },
  },
  'session/logout': { verb: 'logout', spec: { results: [{ code: 1500 }] } },
  'poll/request': {
    verb: 'request',
    spec: {
      results: [{ code: 1301 }],
      msgQ: { count: 5, id: '12345', qDate: at('2026-06-08'), text: 'Transfer requested.' },
      data: { object: 'domain', type: 'trnData', name: 'example.com', ...trn, exDate: at('2027-09-08') },
    },
  },
  'poll/request-empty': { verb: 'request', spec: { results: [{ code: 1300 }] } },
  'poll/request-pending-domain': {
    verb: 'request',
    spec: {
      results: [{ code: 1301 }],
      msgQ: { count: 1, id: '2', text: 'Pending action completed.' },
      data: { object: 'domain', type: 'panData', name: 'example.com', ...pending(true) },
    },
  },
  'poll/request-pending-contact': {
    verb: 'request',
    spec: {
      results: [{ code: 1301 }],
      msgQ: { count: 1, id: '3' },
      data: { object: 'contact', type: 'panData', id: 'sh8013', ...pending(false) },
    },
  },
  'poll/request-pending-host': {
    verb: 'request',
    spec: {
      results: [{ code: 1301 }],
      msgQ: { count: 1, id: '4' },
      data: { object: 'host', type: 'panData', name: 'ns1.example.com', ...pending(true) },
    },
  },
  'poll/request-low-balance': {
    verb: 'request',
    spec: {
      results: [{ code: 1301 }],
      msgQ: { count: 1, id: '5', text: 'Low balance' },
      data: {
        object: 'lowBalance',
        type: 'pollData',
        registrarName: 'Test Registrar',
        creditLimit: '1000',
        threshold: { type: 'PERCENT', value: '10' },
        availableCredit: '80.25',
      },
    },
  },
  'balance/info': { verb: 'info', spec: balance({ type: 'FIXED', value: '500.00' }) },
  'balance/info-percent': { verb: 'info', spec: balance({ type: 'PERCENT', value: '50' }) },
  'poll/ack': { verb: 'ack', spec: { results: [{ code: 1000 }], msgQ: { count: 4, id: '12345' } } },
  'domain/check': { verb: 'check', spec: chk('domain', 'example.com', 'example.net') },
  'domain/check-fee': {
    verb: 'check',
    spec: {
      ...chk('domain', 'example.com', 'example.net'),
      ext: {
        feeCheck: {
          currency: 'USD',
          items: [
            {
              id: 'example.com',
              available: true,
              class: 'premium',
              prices: [
                {
                  name: 'create',
                  period: { value: 2, unit: 'y' },
                  standard: false,
                  fees: [{ amount: '10.00', description: 'Registration Fee', refundable: true, gracePeriod: 'P5D' }],
                  credits: [{ amount: '-1.00' }],
                },
                { name: 'restore', fees: [], credits: [], reason: 'Not priced' },
              ],
            },
            { id: 'example.net', available: false, prices: [], reason: 'Not for sale' },
          ],
        },
      },
    },
  },
  'domain/info': { verb: 'info', spec: done(domainInfo) },
  'domain/info-minimum': {
    verb: 'info',
    spec: done({
      object: 'domain',
      type: 'infData',
      name: 'example.com',
      roid: 'EXAMPLE1-REP',
      statuses: [],
      contacts: [],
      ns: { model: 'attributes', hosts: [{ name: 'ns1.example.com', addresses }] },
      hosts: [],
      clID: 'ClientX',
    }),
  },
  'domain/info-extensions': {
    verb: 'info',
    spec: {
      ...done(domainInfo),
      ext: {
        secDNS: { kind: 'ds', records: [ds] },
        rgp: { statuses: [{ value: 'addPeriod' }, { value: 'transferPeriod', text: 'until Friday', lang: 'en' }] },
        tld: { us: { us_purpose: 'P1', us_category: 'C12' } },
      },
    },
  },
  'domain/create': {
    verb: 'create',
    spec: done({
      object: 'domain',
      type: 'creData',
      name: 'example.com',
      crDate: at('2026-04-03'),
      exDate: at('2028-04-03'),
    }),
  },
  'domain/create-pending': {
    verb: 'create',
    spec: {
      results: [{ code: 1001 }],
      data: { object: 'domain', type: 'creData', name: 'example.co.id', crDate: at('2026-04-03') },
    },
  },
  'domain/create-fee': {
    verb: 'create',
    spec: {
      ...done({ object: 'domain', type: 'creData', name: 'example.com', crDate: at('2026-04-03') }),
      ext: { fee: { ...charged, period: { value: 1, unit: 'y' } } },
    },
  },
  'domain/renew': {
    verb: 'renew',
    spec: done({ object: 'domain', type: 'renData', name: 'example.com', exDate: at('2031-04-03') }),
  },
  'domain/renew-fee': {
    verb: 'renew',
    spec: {
      ...done({ object: 'domain', type: 'renData', name: 'example.com', exDate: at('2031-04-03') }),
      ext: { fee: charged },
    },
  },
  'domain/transfer-request': {
    verb: 'transfer',
    spec: {
      results: [{ code: 1001 }],
      data: { object: 'domain', type: 'trnData', name: 'example.com', ...trn, exDate: at('2027-09-08') },
      ext: { fee: charged },
    },
  },
  'domain/update': { verb: 'update', spec: done() },
  'domain/update-restore': {
    verb: 'update',
    spec: {
      results: [{ code: 1000 }],
      ext: { rgp: { statuses: [{ value: 'pendingRestore' }] }, fee: { ...charged, fees: [{ amount: '40.00' }] } },
    },
  },
  'domain/delete': {
    verb: 'delete',
    spec: { results: [{ code: 1000 }], ext: { fee: { fees: [], credits: [{ amount: '-5.00', description: 'AGP' }] } } },
  },
  'domain/refused': {
    verb: 'create',
    spec: {
      results: [
        {
          code: 2306,
          extValues: [
            {
              value: element('urn:ietf:params:xml:ns:domain-1.0', 'name', undefined, 'example.com'),
              reason: 'Reserved',
            },
            { reason: 'Ask the registry', lang: 'en' },
          ],
        },
        { code: 2004, msg: 'The price has changed' },
      ],
    },
  },
  'domain/unhandled-namespaces': {
    verb: 'info',
    spec: {
      results: [
        {
          code: 1000,
          extValues: [
            {
              value: element(
                ALL_NAMESPACES.usNexus,
                'extension',
                undefined,
                element(ALL_NAMESPACES.usNexus, 'unspec', undefined, 'AppPurpose=P1'),
              ),
              reason: `${ALL_NAMESPACES.usNexus} not in login services`,
            },
          ],
        },
      ],
      data: domainInfo,
    },
  },
  'contact/check': { verb: 'check', spec: chk('contact', 'sh8013', 'sah8013') },
  'contact/info': { verb: 'info', spec: done(contactInfo) },
  'contact/create': {
    verb: 'create',
    spec: done({ object: 'contact', type: 'creData', id: 'sh8013', crDate: at('2026-04-03') }),
  },
  'contact/transfer-request': {
    verb: 'transfer',
    spec: { results: [{ code: 1001 }], data: { object: 'contact', type: 'trnData', id: 'sh8013', ...trn } },
  },
  'contact/update': { verb: 'update', spec: done() },
  'contact/delete': { verb: 'delete', spec: done() },
  'host/check': { verb: 'check', spec: chk('host', 'ns1.example.com', 'ns2.example.com') },
  'host/info': {
    verb: 'info',
    spec: done({
      object: 'host',
      type: 'infData',
      name: 'ns1.example.com',
      roid: 'NS1_EXAMPLE1-REP',
      statuses: [{ value: 'linked' }, { value: 'clientUpdateProhibited' }],
      addresses,
      ...stamps,
    }),
  },
  'host/create': {
    verb: 'create',
    spec: done({ object: 'host', type: 'creData', name: 'ns1.example.com', crDate: at('2026-04-03') }),
  },
  'host/update': { verb: 'update', spec: done() },
  'host/delete': { verb: 'delete', spec: done() },
};

const transferred = (object: 'domain' | 'contact', trStatus: string): SampleAnswer => ({
  verb: 'transfer',
  spec:
    object === 'domain'
      ? done({ object, type: 'trnData', name: 'example.com', ...trn, trStatus })
      : done({ object, type: 'trnData', id: 'sh8013', ...trn, trStatus }),
});

const bare = (path: string) =>
  (OWN[path.replace(/-.*/, '')] ?? OWN[`${path.replace(/-.*/, '')}-request`]) as SampleAnswer;

/** An answer to every sample request, by fixture path, and further ones. The verb is that of the answered command. */
export const RESPONSES: Readonly<Record<string, SampleAnswer>> = {
  ...Object.fromEntries(Object.keys(REQUESTS).map((path) => [path, bare(path)])),
  ...Object.fromEntries(
    (['domain', 'contact'] as const).flatMap((object) => [
      [`${object}/transfer-query`, transferred(object, 'pending')],
      [`${object}/transfer-approve`, transferred(object, 'clientApproved')],
      [`${object}/transfer-reject`, transferred(object, 'clientRejected')],
      [`${object}/transfer-cancel`, transferred(object, 'clientCancelled')],
    ]),
  ),
  ...OWN,
  ...Object.fromEntries(
    Object.entries(EXTENSION_ANSWERS).map(([path, ext]) => {
      const { verb, spec } = bare(path);
      return [path, { verb, spec: { ...spec, ext } }];
    }),
  ),
  ...Object.fromEntries(Object.entries(EXTENSION_MESSAGES).map(([path, spec]) => [path, { verb: 'request', spec }])),
  'domain/update-restore-request': OWN['domain/update-restore'] as SampleAnswer,
};
