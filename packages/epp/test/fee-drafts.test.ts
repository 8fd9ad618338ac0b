import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { CheckBatcher } from '../src/client/check-batcher.ts';
import {
  ALL_NAMESPACES,
  type AnswerExtensions,
  DEFAULT_PROFILE,
  type DomainCheckRequest,
  EppInputError,
  type FeePrice,
  loadSchemas,
  type Namespaces,
  type ObjectRequest,
  parseXml,
  readCommand,
  readResponse,
  type Schemas,
  writeCommand,
  writeResponse,
} from '../src/index.ts';
import { ManualClock } from './support/clock.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

const withFee = (version: string): Namespaces => ({ ...ALL_NAMESPACES, fee: `urn:ietf:params:xml:ns:fee-${version}` });
const DRAFTS = ['0.6', '0.7', '0.11', '0.12'].map((version) => ({ version, ns: withFee(version) }));
const check = { object: 'domain', verb: 'check', names: ['a.example', 'b.example'] } as const;
const create = { object: 'domain', verb: 'create', name: 'a.example', authInfo: { pw: 'abc-123' } } as const;
const year = { value: 1, unit: 'y' } as const;

function roundTrip(request: ObjectRequest, ns: Namespaces): unknown {
  const xml = writeCommand(request, 'ABC-1', ns);
  expect(schemas.validator(xml)).toEqual([]);
  const read = readCommand(parseXml(xml), ns);
  return read.kind === 'command' ? read.request : read;
}

function answered(ext: AnswerExtensions, verb: string, ns: Namespaces): AnswerExtensions {
  const xml = writeResponse({ results: [{ code: 1000 }], ext }, { svTRID: 'SV-1' }, ns, verb);
  expect(schemas.validator(xml)).toEqual([]);
  return readResponse(parseXml(xml), ns).ext;
}

/** From the example of draft 0.6. The examples of CentralNic Reseller with draft 0.7 have the same form. */
const WIRE_06 = `<fee:cd><fee:name>a.example</fee:name><fee:currency>USD</fee:currency><fee:command>create</fee:command>
    <fee:period unit="y">1</fee:period><fee:fee description="Registration Fee" refundable="1" grace-period="P5D">10.00</fee:fee>
    <fee:class>premium</fee:class></fee:cd>
    <fee:cd><fee:name>a.example</fee:name><fee:currency>USD</fee:currency><fee:command phase="open">restore</fee:command>
    <fee:period unit="y">1</fee:period><fee:fee>50.00</fee:fee></fee:cd>`;
/** From the examples of the drafts. */
const WIRE: Record<string, string> = {
  '0.6': WIRE_06,
  '0.7': WIRE_06,
  '0.11': `<fee:cd avail="1"><fee:object><domain:name>a.example</domain:name></fee:object><fee:command>create</fee:command>
    <fee:currency>USD</fee:currency><fee:period unit="y">1</fee:period>
    <fee:fee description="Registration Fee" refundable="1" grace-period="P5D">10.00</fee:fee><fee:class>premium</fee:class></fee:cd>
    <fee:cd><fee:object><domain:name>a.example</domain:name></fee:object><fee:command phase="open">restore</fee:command>
    <fee:currency>USD</fee:currency><fee:period unit="y">1</fee:period><fee:fee>50.00</fee:fee></fee:cd>`,
  '0.12': `<fee:currency>USD</fee:currency><fee:cd><fee:object><domain:name>a.example</domain:name></fee:object>
    <fee:command name="create"><fee:period unit="y">1</fee:period>
    <fee:fee description="Registration Fee" refundable="1" grace-period="P5D">10.00</fee:fee><fee:class>premium</fee:class></fee:command>
    <fee:command name="restore" phase="open"><fee:period unit="y">1</fee:period><fee:fee>50.00</fee:fee></fee:command></fee:cd>`,
};

const frame = (ns: Namespaces, inner: string) => `<epp xmlns="${ns.epp}"><response>
  <result code="1000"><msg>Command completed successfully</msg></result>
  <extension><fee:chkData xmlns:fee="${ns.fee}" xmlns:domain="${ns.domain}">${inner}</fee:chkData></extension>
  <trID><svTRID>SV-1</svTRID></trID></response></epp>`;

describe.each(DRAFTS)('fee-$version', ({ version, ns }) => {
  const commands = [
    { name: 'create', period: { value: 2, unit: 'y' } },
    { name: 'transfer', phase: 'open' },
  ] as const;
  const supported = version === '0.11' ? commands.slice(0, 1) : commands;

  test('writes a valid check that is read back equal', () => {
    const request: DomainCheckRequest = { ...check, ext: { fee: { currency: 'USD', commands: supported } } };
    expect(roundTrip(request, ns)).toEqual(request);
    const own = { ...check, ext: { fee: { commands: [{ name: 'custom', customName: 'blessing' } as const] } } };
    expect(roundTrip(own, ns)).toEqual(own);
  });

  test("reads a registry's answer into the model of RFC 8748", () => {
    const xml = frame(ns, WIRE[version] as string);
    expect(schemas.validator(xml)).toEqual([]);
    const fee = { amount: '10.00', description: 'Registration Fee', refundable: true, gracePeriod: 'P5D' };
    expect(readResponse(parseXml(xml), ns).ext.feeCheck).toEqual({
      currency: 'USD',
      items: [
        {
          id: 'a.example',
          available: true,
          class: 'premium',
          prices: [
            { name: 'create', period: year, fees: [fee], credits: [] },
            { name: 'restore', phase: 'open', period: year, fees: [{ amount: '50.00' }], credits: [] },
          ],
        },
      ],
    });
  });

  test('writes valid answers, within the draft, that are read back equal', () => {
    const amount = fc.integer({ min: 0, max: 10 ** 9 }).map((minor) => (minor / 100).toFixed(2));
    const names = fc.constantFrom('create', 'renew', 'transfer', 'restore', 'update', 'delete');
    const period = fc.record({ value: fc.integer({ min: 1, max: 10 }), unit: fc.constantFrom('y', 'm') });
    const fees = fc.array(fc.record({ amount }), { minLength: 1, maxLength: 3 });
    const credit = fc.record({ amount: amount.map((each) => `-${each}`) });
    const credits = version === '0.6' || version === '0.7' ? fc.constant([]) : fc.array(credit, { maxLength: 2 });
    const price = fc.record({ name: names, period, fees, credits }) as fc.Arbitrary<FeePrice>;
    const prices = fc.array(price, { minLength: 1, maxLength: 4 });
    const shape = fc.record({ class: fc.constantFrom('standard', 'premium'), prices });
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 3 }), (list) => {
        const items = list.map((each, at) => ({ id: `n${at}.example`, available: true, ...each }));
        const ext = { feeCheck: { currency: 'USD', items } };
        expect(answered(ext, 'check', ns)).toEqual(ext);
      }),
      { seed: 20261116, numRuns: 60 },
    );
  });

  test('writes and reads agreed and charged prices', () => {
    const agreed = { ...create, ext: { fee: { currency: 'USD', fees: [{ amount: '10.00', description: 'first' }] } } };
    expect(roundTrip(agreed, ns)).toEqual(agreed);
    const spoken = { ...create, ext: { fee: { currency: 'USD', fees: [{ amount: '10.00', lang: 'en' }] } } };
    expect(roundTrip(spoken, ns)).toMatchObject({ ext: { fee: { fees: [{ amount: '10.00' }] } } });
    const charged = {
      currency: 'USD',
      fees: [{ amount: '10.00' }],
      credits: [],
      balance: '90.00',
      creditLimit: '0.00',
    };
    expect(answered({ fee: { ...charged, period: year } }, 'create', ns)).toEqual({ fee: charged });
    expect(answered({ fee: { ...charged, period: year } }, 'transfer', ns).fee).toMatchObject({ period: year });
    const back = { currency: 'USD', fees: [], credits: [{ amount: '-10.00' }], balance: '100.00' };
    expect(answered({ fee: back }, 'delete', ns)).toEqual({ fee: back });
  });
});

test('refuses parts that a draft cannot express before sending', () => {
  const bare = { ...create, ext: { fee: { fees: [{ amount: '1.00' }] } } };
  const credited = { ...create, ext: { fee: { currency: 'USD', ...bare.ext.fee, credits: [{ amount: '-1.00' }] } } };
  expect(() => writeCommand(bare, 'ABC-1', withFee('0.6'))).toThrow(EppInputError);
  expect(() => writeCommand(credited, 'ABC-1', withFee('0.6'))).toThrow('fee.credits');
  const both = { ...check, ext: { fee: { commands: [{ name: 'create' }, { name: 'renew' }] as const } } };
  expect(() => writeCommand(both, 'ABC-1', withFee('0.11'))).toThrow('fee.commands');
});

test('reads an answer without a price as one without prices', () => {
  const { ext } = readResponse(parseXml(frame(withFee('0.6'), '')), withFee('0.6'));
  expect(ext.feeCheck).toBeUndefined();
  const prices = { currency: 'USD', items: [{ id: 'a.example', available: false, prices: [] }] };
  expect(answered({ feeCheck: prices }, 'check', withFee('0.6')).feeCheck).toBeUndefined();
});

test('refuses an answer with prices in two currencies', () => {
  const mixed = (WIRE['0.6'] as string).replace('USD', 'EUR');
  expect(() => readResponse(parseXml(frame(withFee('0.6'), mixed)), withFee('0.6'))).toThrow('several currencies');
});

describe('fee-0.11 with one command per check', () => {
  const profile = { ...DEFAULT_PROFILE, namespaces: withFee('0.11') };
  const price = (name: FeePrice['name'], currency: string, names: readonly string[]) => ({
    currency,
    items: names.map((id) => ({ id, available: true, prices: [{ name, fees: [{ amount: '1.00' }], credits: [] }] })),
  });
  const supported = (currencyOf: (name: string) => string) => {
    const sent: DomainCheckRequest[] = [];
    const clock = new ManualClock();
    const gatherer = new CheckBatcher(
      async (request) => {
        sent.push(request);
        const query = request.ext?.fee?.commands[0]?.name ?? 'create';
        const items = request.names.map((id) => ({ id, available: true }));
        const feeCheck = price(query, currencyOf(query), request.names);
        const data = { object: 'domain', type: 'chkData', items } as const;
        const ids = { clTRID: `C-${sent.length}`, svTRID: 'SV-1', frame: '', results: [], text: '' };
        return { kind: 'done', code: 1000, pending: false, data, ext: { feeCheck }, ...ids };
      },
      profile,
      clock,
    );
    const fee = { commands: [{ name: 'create' }, { name: 'renew' }] } as const;
    const answers = Promise.all(check.names.map((name) => gatherer.check(name, fee, 'interactive')));
    clock.advance(profile.checkGatherMs);
    return { sent, answers };
  };

  test('sends a check per command and combines the answers', async () => {
    const { sent, answers } = supported(() => 'USD');
    for (const answer of await answers) {
      expect(answer).toMatchObject({
        kind: 'done',
        data: { fee: { prices: [{ name: 'create' }, { name: 'renew' }] } },
      });
    }
    expect(sent.map((each) => each.ext?.fee?.commands)).toEqual([[{ name: 'create' }], [{ name: 'renew' }]]);
    expect(sent.every((each) => each.names.length === 2)).toBe(true);
  });

  test('returns an unknown outcome for prices in two currencies', async () => {
    const { answers } = supported((name) => (name === 'create' ? 'USD' : 'EUR'));
    for (const answer of await answers) expect(answer).toMatchObject({ kind: 'unknown', why: 'unreadable-answer' });
  });
});
