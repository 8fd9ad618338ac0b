import type { Answer, AnswerExtensions, DomainInfData, EppPool, KeysysFields, ObjectRequest } from '@namehold/epp';
import { describe, expect, test } from 'vitest';
import type { CommandContext, Registry } from '../../src/core/ports/registry.ts';
import { eppRegistry } from '../../src/registries/epp/driver.ts';
import { bundledProfile } from '../../src/registries/profiles/bundled.ts';
import { readProfile } from '../../src/registries/read-profile.ts';

const file = JSON.parse(bundledProfile('centralnic-reseller')!) as Record<string, object>;
const profileWith = (keysys: object) => readProfile(JSON.stringify({ ...file, keysys }), 'cnr');

/** A domain as the upstream shows it. */
const shown: DomainInfData = {
  object: 'domain',
  type: 'infData',
  name: 'a-name.nl',
  roid: '1_DOMAIN-KEYSYS',
  statuses: [{ value: 'clientHold' }],
  registrant: 'P-ABC1',
  contacts: [],
  ns: { model: 'objects', hosts: ['NS1.EXAMPLE.COM'] },
  hosts: [],
  clID: 'reseller',
  exDate: new Date('2027-12-27T13:46:20Z'),
};

/** The driver at a server that shows this domain, and the requests that it sends. */
function driverAt(keysys: object, fields: KeysysFields, answers: Partial<Record<string, object>> = {}) {
  const sent: ObjectRequest[] = [];
  const ext: AnswerExtensions = { keysys: { type: 'infData', fields } };
  const pool = {
    async send(request: ObjectRequest) {
      sent.push(request);
      const done = {
        kind: 'done',
        code: 1000,
        text: '',
        clTRID: 'C',
        svTRID: 'S',
        pending: false,
        ext: {},
        results: [],
      };
      if (request.verb === 'info') return { ...done, data: shown, ext } as unknown as Answer<never>;
      return { ...done, data: answers[request.verb] } as unknown as Answer<never>;
    },
  } as unknown as EppPool<CommandContext>;
  const registry: Registry = eppRegistry({
    id: 'cnr',
    clientId: 'reseller',
    profile: profileWith(keysys),
    pool,
    chance: (length) => 'aB3-'.repeat(length).slice(0, length),
  });
  const view = async () => {
    const reply = await registry.info('a-name.nl');
    if (reply.kind !== 'done' || !reply.data) throw new Error(JSON.stringify(reply));
    return reply.data;
  };
  return { registry, sent, view };
}

const byMode = { renewsByMode: ['nl'] };

describe('the view of a domain', () => {
  test.each([
    ['AUTOEXPIRE', {}, false],
    ['autodelete', {}, false],
    ['AUTORENEW', {}, true],
    ['DEFAULT', {}, true],
    ['DEFAULT', { defaultMode: 'AUTOEXPIRE' }, false],
    ['RENEWONCE', {}, true],
    ['RENEWONCE', byMode, false],
  ])('has the renewal of the upstream from the mode %s with %o', async (renewalmode, keysys, autoRenew) => {
    expect((await driverAt(keysys, { renewalmode }).view()).autoRenew).toBe(autoRenew);
  });

  test('counts a renewal that is ordered by the mode, only where this is the way to renew', async () => {
    const years = async (keysys: object) =>
      (await driverAt(keysys, { renewalmode: 'RENEWONCETHENAUTOEXPIRE' }).view()).expiresAt!.getUTCFullYear();
    expect(await years(byMode)).toBe(2028);
    expect(await years({})).toBe(2027);
  });

  test('has a date to renew by only if it is before the expiry', async () => {
    const early = await driverAt({}, { renDate: '2027-12-22T13:46:20.0Z' }).view();
    expect(early.renewBy?.toISOString()).toBe('2027-12-22T13:46:20.000Z');
    for (const renDate of ['2028-01-31T13:46:20.0Z', 'unknown'])
      expect((await driverAt({}, { renDate }).view()).renewBy).toBeUndefined();
  });

  test('has the lock and the privacy of the upstream', async () => {
    const view = await driverAt({}, { transferlock: '1', 'whois-privacy': '1' }).view();
    expect(view.statuses).toEqual(['clientHold', 'clientTransferProhibited']);
    expect(view.isPrivate).toBe(true);
    expect(view.nameservers).toEqual(['ns1.example.com']);
    const plain = await driverAt({}, { transferlock: '0' }).view();
    expect(plain.statuses).toEqual(['clientHold']);
    expect(plain.isPrivate).toBeUndefined();
  });

  test('ends the paid term on the date of the setting', async () => {
    const punDate = '2027-11-01T00:00:00.0Z';
    expect((await driverAt({ paidUntil: 'punDate' }, { punDate }).view()).expiresAt!.toISOString()).toContain(
      '2027-11-01',
    );
    expect((await driverAt({}, { punDate }).view()).expiresAt!.toISOString()).toContain('2027-12-27');
  });
});

describe('the fields of a command', () => {
  const order = { name: 'a-name.nl', years: 1, registrant: 'P-ABC1', nameservers: [], extra: {} };
  const contacts = { admin: 'P-ABC2', tech: 'P-ABC3', billing: 'P-ABC3' };

  test('switch off the renewal of the upstream in a create, and include those that the catalogue states', async () => {
    const { registry, sent } = driverAt({}, {});
    const statedFields = {
      ...{ namespace: file.namespaces!['keysys' as never] as string, carrier: 'domain' as const },
      ...{ elements: { create: 'create/domain' }, mapping: [{ field: 'nl_legal_form', path: 'nl-legal-form' }] },
      ...{ name: 'nl', schema: { properties: { nl_legal_form: {} } } },
    } as never;
    const extra = { nl_legal_form: 'BV' };
    await registry.create({ ...order, contacts, isPrivate: true, extra, statedFields }, {});
    const wanted = { 'nl-legal-form': 'BV', renewalmode: 'AUTOEXPIRE', 'whois-privacy': '1' };
    expect(sent).toMatchObject([{ verb: 'create', ext: { keysys: wanted } }]);
    expect(sent[0]!.ext).not.toHaveProperty('other');
  });

  test('name contacts and nameservers in a transfer, without an outdated date', async () => {
    const never = new Date('0001-01-01T00:00:00Z');
    const trnData = {
      name: 'A-NAME.NL',
      trStatus: 'pending',
      reID: 'reseller',
      reDate: new Date(1e12),
      acID: 'unknown',
      acDate: never,
    };
    const { registry, sent } = driverAt({ transferSetsMode: true }, {}, { transfer: trnData });
    const nameservers = ['ns1.example.net', 'ns2.example.net'].map((hostname) => ({ hostname, addresses: [] }));
    const parties = { registrant: 'P-ABC1', contacts, nameservers };
    const reply = await registry.requestTransfer({ name: 'a-name.nl', authCode: 'code', years: 1, ...parties }, {});
    expect(reply).toMatchObject({ kind: 'done', data: { isToUs: true, actionAt: null, requestedAt: new Date(1e12) } });
    expect(sent[0]!.ext).toEqual({
      keysys: {
        ...{ ownercontact0: 'P-ABC1', admincontact0: 'P-ABC2', techcontact0: 'P-ABC3', billingcontact0: 'P-ABC3' },
        ...{ nameserver0: 'ns1.example.net', nameserver1: 'ns2.example.net', renewalmode: 'AUTOEXPIRE' },
      },
    });
  });

  test('carry in an update renewal and privacy, and the lock where the status does not lock', async () => {
    const { registry, sent } = driverAt({ lock: 'transferlock' }, {});
    const statuses = { addStatuses: ['clientTransferProhibited', 'clientHold'], removeStatuses: [] };
    await registry.update('a-name.nl', { ...statuses, autoRenew: false, isPrivate: false }, {});
    await registry.update('a-name.nl', { removeStatuses: ['clientTransferProhibited'] }, {});
    expect(sent).toMatchObject([
      {
        add: { statuses: [{ value: 'clientHold' }] },
        ext: { keysys: { renewalmode: 'AUTOEXPIRE', transferlock: '1', 'whois-privacy': '0' } },
      },
      { ext: { keysys: { transferlock: '0' } } },
    ]);
    expect(sent[1]).not.toHaveProperty('rem');
  });
});

describe('a renewal by the renewal mode', () => {
  const renew = async (
    fields: KeysysFields,
    currentExpiry = '2027-12-27',
    years = 1,
    fee?: { amount: string; currency: string },
  ) => {
    const { registry, sent } = driverAt(byMode, fields);
    const reply = await registry.renew('a-name.nl', currentExpiry, years, fee, {});
    return { reply, verbs: sent.map(({ verb }) => verb) };
  };

  test('is ordered once from the present date', async () => {
    const { reply, verbs } = await renew({ renewalmode: 'AUTOEXPIRE' });
    expect(reply).toMatchObject({ kind: 'done', data: { expiresAt: new Date('2028-12-27T13:46:20Z') } });
    expect(verbs).toEqual(['info', 'update']);
  });

  test.each([
    ['from another date', { renewalmode: 'AUTOEXPIRE' }, '2026-12-27', 1, 2306],
    ['again from the date before it', { renewalmode: 'RENEWONCE' }, '2027-12-27', 1, 2306],
    ['again from the date after it', { renewalmode: 'RENEWONCE' }, '2028-12-27', 1, 2105],
    ['by two years', {}, '2027-12-27', 2, 2004],
  ])('is refused %s, and nothing is sent', async (_, fields, date, years, code) => {
    const { reply, verbs } = await renew(fields as KeysysFields, date, years);
    expect(reply).toMatchObject({ kind: 'refused', evidence: { code } });
    expect(verbs).not.toContain('update');
  });

  test('cannot state a price', async () => {
    const { reply } = await renew({}, '2027-12-27', 1, { amount: '500.00', currency: 'EUR' });
    expect(reply).toMatchObject({ kind: 'refused', evidence: { own: { field: 'max_price' } } });
  });
});

test('a renewal sends the date of the registry where the paid term ends on another', async () => {
  const { registry, sent } = driverAt({ paidUntil: 'punDate' }, { punDate: '2027-11-01T00:00:00.0Z' });
  await registry.renew('a-name.nl', '2027-11-01', 1, undefined, {});
  expect(sent.at(-1)).toMatchObject({ verb: 'renew', curExpDate: '2027-12-27' });
  expect(await registry.renew('a-name.nl', '2027-12-27', 1, undefined, {})).toMatchObject({ evidence: { code: 2306 } });
});

test('the settings need the extension in the profile', () => {
  const { keysys: _, ...namespaces } = file.namespaces as Record<string, string>;
  const without = JSON.stringify({ ...file, namespaces, keysys: {} });
  expect(() => readProfile(without, 'cnr')).toThrow('namespaces.keysys');
});
