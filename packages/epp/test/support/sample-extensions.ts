import { type AnswerExtensions, type EppRequest, element, type ResponseSpec } from '../../src/index.ts';
import { at, authInfo } from './sample-parts.ts';

const named = { object: 'domain', name: 'example.com' } as const;
const create = { ...named, verb: 'create', authInfo } as const;
const application = { phase: { phase: 'sunrise' }, applicationId: 'abc123' } as const;
const MARK = 'urn:ietf:params:xml:ns:mark-1.0';
/** The shortest mark that the schema accepts: a treaty's protection. */
const mark = element(
  MARK,
  'mark',
  undefined,
  element(
    MARK,
    'treatyOrStatute',
    undefined,
    element(MARK, 'id', undefined, '1-2'),
    element(MARK, 'markName', undefined, 'Example'),
    element(MARK, 'holder', { entitlement: 'owner' }, ...holderOf('Example Society')),
    element(MARK, 'protection', undefined, element(MARK, 'cc', undefined, 'NL')),
    element(MARK, 'goodsAndServices', undefined, 'all'),
    element(MARK, 'refNum', undefined, '7'),
    element(MARK, 'proDate', undefined, '2009-08-16T09:00:00.0Z'),
    element(MARK, 'title', undefined, 'Act'),
    element(MARK, 'execDate', undefined, '2009-08-16T09:00:00.0Z'),
  ),
);

function holderOf(org: string) {
  const address = ['street', 'city', 'cc'] as const;
  const values = { street: '1 Main Road', city: 'Delft', cc: 'NL' };
  return [
    element(MARK, 'org', undefined, org),
    element(
      MARK,
      'addr',
      undefined,
      address.map((part) => element(MARK, part, undefined, values[part])),
    ),
  ];
}

/** One request for every extension besides those of the core. */
export const EXTENSION_REQUESTS: Readonly<Record<string, EppRequest>> = {
  'domain/check-launch': {
    object: 'domain',
    verb: 'check',
    names: ['example.com'],
    ext: { launch: { type: 'claims', phase: { phase: 'claims' } } },
  },
  'domain/check-allocationToken': {
    object: 'domain',
    verb: 'check',
    names: ['example.com'],
    ext: { allocationToken: 'abc123' },
  },
  'domain/info-launch': { ...named, verb: 'info', ext: { launch: { ...application, includeMark: true } } },
  'domain/info-allocationToken': { ...named, verb: 'info', ext: { allocationToken: true } },
  'domain/create-launch-claims': {
    ...create,
    ext: {
      launch: {
        type: 'registration',
        phase: { phase: 'claims' },
        notices: [
          {
            noticeId: '370d0b7c9223372036854775807',
            validatorId: 'tmch',
            notAfter: at('2026-06-19'),
            acceptedAt: at('2026-06-18'),
          },
        ],
      },
    },
  },
  'domain/create-launch-sunrise': {
    ...create,
    ext: { launch: { phase: { phase: 'sunrise' }, encodedSignedMarks: ['ZXhhbXBsZQ=='] } },
  },
  'domain/create-launch-code': {
    ...create,
    ext: {
      launch: {
        type: 'application',
        phase: { phase: 'custom', name: 'founders' },
        codeMarks: [{ code: { code: '49FD46E6C4B45C55D4AC', validatorId: 'sample' }, mark }],
      },
    },
  },
  'domain/create-idn': { ...create, name: 'xn--espaol-zwa.com', ext: { idn: { table: 'es', uname: 'español.com' } } },
  'domain/create-allocationToken': { ...create, ext: { allocationToken: 'abc123' } },
  'domain/create-orgext': { ...create, ext: { organisations: [{ id: 'reseller1523', role: 'reseller' }] } },
  'domain/transfer-allocationToken': {
    ...named,
    verb: 'transfer',
    op: 'request',
    authInfo,
    ext: { allocationToken: 'abc123' },
  },
  'domain/update-launch': { ...named, verb: 'update', ext: { launch: application } },
  'domain/update-orgext': {
    ...named,
    verb: 'update',
    ext: {
      organisations: {
        add: [{ id: 'myreseller', role: 'reseller' }],
        rem: [{ id: '', role: 'privacyproxy' }],
        chg: [{ id: 'other', role: 'registrar' }],
      },
    },
  },
  'domain/update-sync': { ...named, verb: 'update', ext: { sync: { month: 5, day: 31 } } },
  'domain/create-keysys': { ...create, ext: { keysys: { renewalmode: 'AUTOEXPIRE', 'whois-privacy': '1' } } },
  'domain/renew-keysys': {
    ...named,
    verb: 'renew',
    curExpDate: '2026-04-03',
    period: { value: 1, unit: 'y' },
    ext: { keysys: { 'accept-premiumprice': '1' } },
  },
  'domain/transfer-keysys': {
    ...named,
    verb: 'transfer',
    op: 'request',
    authInfo,
    ext: {
      keysys: {
        admincontact0: 'P-ABC123',
        billingcontact0: 'P-ABC123',
        nameserver0: 'ns1.example.net',
        nameserver1: 'ns2.example.net',
        ownercontact0: 'P-ABC123',
        techcontact0: 'P-ABC123',
      },
    },
  },
  'domain/update-keysys': { ...named, verb: 'update', ext: { keysys: { renewalmode: 'RENEWONCETHENAUTOEXPIRE' } } },
  'domain/delete-keysys': { ...named, verb: 'delete', ext: { keysys: { action: 'push', target: 'DETAGGED' } } },
  'domain/delete-launch': { ...named, verb: 'delete', ext: { launch: application } },
};

const message = (text: string): ResponseSpec => ({
  results: [{ code: 1301 }],
  msgQ: { count: 1, id: '5', text },
});

/** The additions to the answer of the plain command. */
export const EXTENSION_ANSWERS: Readonly<Record<string, AnswerExtensions>> = {
  'domain/check-launch': {
    launchCheck: {
      phase: { phase: 'claims' },
      items: [
        { name: 'example.com', exists: false, claimKeys: [] },
        {
          name: 'example2.com',
          exists: true,
          claimKeys: [{ key: '2013041500/2/6/9/rJ1NrDO92vDsAzf7EQzgjX4R0000000001', validatorId: 'tmch' }],
        },
      ],
    },
  },
  'domain/info-launch': {
    launch: { ...application, status: { value: 'custom', name: 'seen', text: 'at the desk' }, marks: [mark] },
  },
  'domain/info-allocationToken': { allocationToken: 'abc123' },
  'domain/info-idn': {
    idn: { table: 'es', uname: 'español.com' },
    organisations: [{ id: 'reseller1523', role: 'reseller' }],
  },
  'domain/create-launch-sunrise': { launch: application },
  'domain/info-keysys': {
    keysys: {
      type: 'infData',
      fields: {
        'domain-roid': '1850955283_DOMAIN_COM-VRSN',
        punDate: '2026-12-27T13:46:20.0Z',
        renDate: '2027-01-31T13:46:20.0Z',
        renewalmode: 'DEFAULT',
        transferlock: '1',
        transfermode: 'DEFAULT',
        'whois-privacy': '0',
      },
    },
  },
};

/** Poll messages that have data of their own. */
export const EXTENSION_MESSAGES: Readonly<Record<string, ResponseSpec>> = {
  'poll/request-keysys': {
    ...message('DOMAIN_TRANSFER_PENDING'),
    data: {
      object: 'domain',
      type: 'trnData',
      name: 'example.com',
      trStatus: 'pending',
      reID: 'INTERNAL',
      reDate: new Date('0001-01-01T00:00:00Z'),
      acID: 'INTERNAL',
      acDate: new Date('0001-01-01T00:00:00Z'),
    },
    ext: {
      keysys: {
        type: 'poll',
        fields: { currentRegistrar: 'INTERNAL', domain: 'example.com', requestingRegistrar: 'INTERNAL' },
        info: 'USERTRANSFER one -> two',
      },
    },
  },
  'poll/request-rgp': {
    ...message('Restore report is due'),
    data: {
      object: 'rgpPoll',
      type: 'pollData',
      name: 'example.com',
      status: { value: 'pendingRestore' },
      requestedAt: at('2026-06-01'),
      reportDueAt: at('2026-06-08'),
    },
  },
  'poll/request-change': {
    ...message('Registry initiated update'),
    data: {
      object: 'domain',
      type: 'infData',
      name: 'example.com',
      roid: 'EXAMPLE1-REP',
      statuses: [{ value: 'serverUpdateProhibited' }],
      contacts: [],
      hosts: [],
      clID: 'ClientX',
    },
    ext: {
      change: {
        state: 'after',
        operation: 'custom',
        detail: 'lock',
        date: at('2026-06-02'),
        svTRID: '12345-XYZ',
        who: 'URS Admin',
        caseId: { type: 'urs', id: 'urs123' },
        reason: 'URS Lock',
        lang: 'en',
      },
    },
  },
  'poll/request-maintenance': {
    ...message('Registry Maintenance Notification'),
    data: {
      object: 'maintenance',
      type: 'infData',
      item: {
        id: '2e6df9b0-4092-4491-bcc8-9fb2166dcee6',
        name: 'Yearly',
        types: ['Routine Maintenance'],
        pollType: 'create',
        systems: [
          { name: 'EPP', host: 'epp.registry.example', impact: 'full' },
          { name: 'DNS', impact: 'none' },
        ],
        environment: { type: 'production' },
        start: at('2026-12-30'),
        end: at('2026-12-31'),
        reason: 'planned',
        detail: 'https://www.registry.example/notice?123',
        descriptions: [{ text: 'free text', lang: 'en', type: 'plain' }],
        tlds: ['example', 'test'],
        intervention: { connection: false, implementation: true },
        crDate: at('2026-11-08'),
      },
    },
  },
  'poll/request-maintenance-list': {
    ...message('Registry Maintenance Notification'),
    data: {
      object: 'maintenance',
      type: 'infData',
      list: [
        {
          id: 'one',
          start: at('2026-12-30'),
          end: at('2026-12-31'),
          crDate: at('2026-11-08'),
          upDate: at('2026-11-09'),
        },
      ],
    },
  },
};
