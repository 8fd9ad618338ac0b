import fc from 'fast-check';
import type { EppRequest, Period, ResponseSpec, Status } from '../../src/index.ts';

/** Any text that XML can carry, without whitespace that xsd:token would change. */
const wild = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 40 })
  .map((text) => text.replace(/[^\u0021-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))
  .filter((text) => text.length > 0);
const token = wild;
const line = fc.tuple(wild, wild).map(([a, b]) => `${a} ${b}`);
const moment = fc.date({
  min: new Date('1990-01-01T00:00:00Z'),
  max: new Date('2200-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const list = <T>(of: fc.Arbitrary<T>, minLength = 1) => fc.array(of, { minLength, maxLength: 4 });
const opt = <T extends Record<string, unknown>, K extends Record<string, unknown>>(
  needed: { [P in keyof T]: fc.Arbitrary<T[P]> },
  optional: { [P in keyof K]: fc.Arbitrary<K[P]> },
): fc.Arbitrary<T & Partial<K>> =>
  fc.record({ ...needed, ...optional } as never, { requiredKeys: Object.keys(needed) as never }) as never;

const period: fc.Arbitrary<Period> = fc.record({
  value: fc.integer({ min: 1, max: 99 }),
  unit: fc.constantFrom('y', 'm'),
});
const status: fc.Arbitrary<Status> = opt({ value: token }, { text: line, lang: fc.constantFrom('en', 'fr') });
const authInfo = opt({ pw: line }, { roid: token });
const ip = fc.oneof(
  fc.record({ address: fc.ipV4(), version: fc.constant('v4' as const) }),
  fc.record({ address: fc.ipV6(), version: fc.constant('v6' as const) }),
);
const ns = fc.oneof(
  fc.record({ model: fc.constant('objects' as const), hosts: list(token) }),
  fc.record({
    model: fc.constant('attributes' as const),
    hosts: list(fc.record({ name: token, addresses: list(ip, 0) })),
  }),
);
const contacts = list(fc.record({ type: fc.constantFrom('admin', 'tech', 'billing'), id: token }));
const byte = fc.integer({ min: 0, max: 255 });
const short = fc.integer({ min: 0, max: 65535 });
const key = fc.record({ flags: short, protocol: byte, alg: byte, pubKey: fc.base64String({ minLength: 4 }) });
const ds = opt(
  { keyTag: short, alg: byte, digestType: byte, digest: fc.stringMatching(/^([0-9A-F]{2}){4,20}$/) },
  { key },
);
const secDns = fc.oneof(
  opt({ kind: fc.constant('ds' as const), records: list(ds) }, { maxSigLifeSeconds: short }),
  opt({ kind: fc.constant('key' as const), records: list(key) }, { maxSigLifeSeconds: short }),
);
const amount = fc.stringMatching(/^[0-9]{1,6}\.[0-9]{2}$/);
const fee = opt({ amount }, { description: token, refundable: fc.boolean(), gracePeriod: fc.constant('P5D') });
const feeTransform = opt({ fees: list(fee) }, { currency: fc.constantFrom('USD', 'IDR') });
const other = fc.record({
  other: list(
    fc.record({
      ns: fc.constantFrom('urn:x:one', 'urn:x:two'),
      name: fc.constantFrom('thing', 'other'),
      attrs: fc.record({ a: line, '{urn:x:three}b': line }),
      children: fc.tuple(line),
    }),
  ),
});
const withExt = <T extends Record<string, unknown>>(ext: { [P in keyof T]: fc.Arbitrary<T[P]> }) =>
  fc.oneof(opt({}, ext), other).filter((value) => Object.keys(value).length > 0);

const phase = opt({ phase: fc.constantFrom('sunrise', 'claims', 'custom') }, { name: token });
const application = fc.record({ phase, applicationId: token });
const organisations = list(fc.record({ id: token, role: token }));
const idn = opt({ table: token }, { uname: token });
const launchCreate = opt(
  { phase },
  {
    type: fc.constantFrom('application', 'registration'),
    encodedSignedMarks: list(fc.base64String({ minLength: 4 })),
    notices: list(opt({ noticeId: token, notAfter: moment, acceptedAt: moment }, { validatorId: token })),
  },
);
const change = opt(
  { state: fc.constantFrom('before', 'after'), operation: token, date: moment, svTRID: token, who: line },
  { detail: token, caseId: opt({ type: token, id: token }, { name: token }), reason: line },
);
const summary = { id: token, start: moment, end: moment, crDate: moment };
const maintenance = opt(
  {
    ...summary,
    types: list(line, 0),
    systems: list(opt({ name: token, impact: token }, { host: token })),
    environment: opt({ type: token }, { name: token }),
    reason: token,
    descriptions: list(opt({ text: line }, { type: fc.constantFrom('plain', 'html') }), 0),
    tlds: list(token, 0),
  },
  { name: token, pollType: token, upDate: moment, detail: token },
);

/** In the order in which they are written. */
const keysys = opt(
  {},
  { 'accept-trade': token, renewalmode: token, transferlock: token, 'whois-privacy': token },
).filter((fields) => Object.keys(fields).length > 0);
const keysysAnswer = fc.oneof(
  fc.record({ type: fc.constantFrom('infData' as const, 'contactInfData' as const), fields: keysys }),
  opt({ type: fc.constant('poll' as const), fields: keysys }, { info: line }),
);
const addRem = opt({}, { ns, contacts, statuses: list(status) });
const domain = { object: fc.constant('domain' as const), name: token };

/** Any request: far wider than what a registry accepts. */
export const anyRequest: fc.Arbitrary<EppRequest> = fc.oneof(
  opt(
    { object: fc.constant('domain'), verb: fc.constant('check'), names: list(token) },
    { ext: withExt({ allocationToken: token, launch: opt({}, { phase }) }) },
  ),
  opt({ ...domain, verb: fc.constant('info') }, { hosts: fc.constantFrom('all', 'del', 'sub', 'none'), authInfo }),
  opt(
    { ...domain, verb: fc.constant('create'), authInfo },
    {
      period,
      ns,
      registrant: token,
      contacts,
      ext: withExt({
        secDNS: secDns,
        fee: feeTransform,
        idn,
        launch: launchCreate,
        allocationToken: token,
        organisations,
        keysys,
      }),
    },
  ),
  opt(
    { ...domain, verb: fc.constant('renew'), curExpDate: fc.constant('2026-04-03') },
    { period, ext: withExt({ fee: feeTransform, keysys }) },
  ),
  opt(
    {
      ...domain,
      verb: fc.constant('transfer'),
      op: fc.constantFrom('request', 'query', 'approve', 'reject', 'cancel'),
    },
    { period, authInfo },
  ),
  opt(
    { ...domain, verb: fc.constant('update') },
    {
      add: addRem,
      rem: addRem,
      chg: opt({}, { registrant: token, authInfo: fc.oneof(authInfo, fc.constant({ unset: true })) }),
      ext: withExt({
        fee: feeTransform,
        tld: fc.record({
          us: fc.record({ us_purpose: fc.constantFrom('P1', 'P5'), us_category: fc.constantFrom('C11', 'C31/DE') }),
        }),
        launch: application,
        organisations: opt({}, { add: organisations, rem: organisations, chg: organisations }),
        sync: fc.record({ month: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 1, max: 28 }) }),
        keysys,
      }),
    },
  ),
  opt(
    { object: fc.constant('host'), verb: fc.constant('update'), name: token },
    { newName: token, add: opt({}, { addresses: list(ip), statuses: list(status) }) },
  ),
  opt({ object: fc.constant('host'), verb: fc.constant('create'), name: token }, { addresses: list(ip) }),
  opt(
    {
      object: fc.constant('contact'),
      verb: fc.constant('create'),
      id: token,
      postal: list(
        opt(
          {
            type: fc.constantFrom('int', 'loc'),
            name: line,
            addr: opt({ street: list(line, 0), city: line, cc: fc.constant('ID') }, { sp: line, pc: token }),
          },
          { org: line },
        ),
      ),
      email: token,
      authInfo,
    },
    { voice: opt({ number: fc.constant('+62.811') }, { extension: token }), ext: withExt({ keysys }) },
  ),
  fc.record({ object: fc.constant('poll'), verb: fc.constant('ack'), msgID: token }),
) as fc.Arbitrary<EppRequest>;

/** Any answer to an info or a poll. */
export const anyResponse: fc.Arbitrary<ResponseSpec> = opt(
  {
    results: list(
      opt(
        { code: fc.constantFrom(1000, 1001, 1301, 2303, 2400), msg: line },
        { extValues: list(opt({ reason: line }, { lang: fc.constant('en') })) },
      ),
    ),
  },
  {
    msgQ: opt({ count: short, id: token }, { qDate: moment, text: line }),
    data: fc.oneof(
      opt(
        {
          object: fc.constant('domain' as const),
          type: fc.constant('infData' as const),
          name: token,
          roid: token,
          statuses: list(status, 0),
          contacts: fc.oneof(contacts, fc.constant([])),
          hosts: list(token, 0),
          clID: token,
        },
        { registrant: token, ns, crID: token, crDate: moment, exDate: moment, authInfo },
      ),
      fc.record({
        object: fc.constant('maintenance' as const),
        type: fc.constant('infData' as const),
        item: maintenance,
      }),
      fc.record({
        object: fc.constant('rgpPoll' as const),
        type: fc.constant('pollData' as const),
        name: token,
        status,
        requestedAt: moment,
        reportDueAt: moment,
      }),
      fc.record({
        object: fc.constant('contact' as const),
        type: fc.constant('chkData' as const),
        items: list(opt({ id: token, available: fc.boolean() }, { reason: token })),
      }),
    ),
    ext: withExt({
      secDNS: secDns,
      rgp: fc.record({ statuses: list(status) }),
      idn,
      organisations,
      allocationToken: token,
      launch: opt({ phase }, { applicationId: token, status }),
      change,
      keysys: keysysAnswer,
    }),
  },
) as fc.Arbitrary<unknown> as fc.Arbitrary<ResponseSpec>;
