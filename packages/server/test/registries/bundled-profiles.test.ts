import { readFileSync } from 'node:fs';
import { systemIds } from '@namehold/base';
import {
  checkRequest,
  type DomainCreateRequest,
  type EppPool,
  EppUnsentError,
  loadSchemas,
  type ObjectRequest,
  type RegistryProfile,
  rulesFor,
  type Schemas,
  withFixed,
  writeCommand,
} from '@namehold/epp';
import { beforeAll, describe, expect, test } from 'vitest';
import { sentRolesOf } from '../../src/core/model/domain.ts';
import type { CommandContext } from '../../src/core/ports/registry.ts';
import { eppRegistry } from '../../src/registries/epp/driver.ts';
import { newSecret } from '../../src/registries/epp/secret.ts';
import { bundledProfile, bundledProfiles } from '../../src/registries/profiles/bundled.ts';
import { readProfile } from '../../src/registries/read-profile.ts';

let schemas: Schemas;
beforeAll(async () => {
  schemas = await loadSchemas();
});

/** A domain under one of its TLDs and its commands, with everything that the profile requires. */
function lifeOf(profile: RegistryProfile): ObjectRequest[] {
  const name = `a-name.${Object.keys(profile.tlds).at(-1) ?? 'example'}`;
  const rules = rulesFor(profile, name);
  const authInfo = { pw: newSecret(rules, systemIds.text) };
  const registrantOf = rules.dataModel === 'maximum' ? { registrant: 'holder-1' } : {};
  const contacts = rules.requiredContacts.map((type) => ({ type, id: 'holder-1' }));
  const ext =
    profile.namespaces.fee === undefined ? {} : { ext: { fee: { currency: 'USD', fees: [{ amount: '9.00' }] } } };
  const period = { value: 1, unit: 'y' } as const;
  const hosts = ['ns1.elsewhere.example', 'ns2.elsewhere.example'];
  const ns: DomainCreateRequest['ns'] =
    rules.hostModel === 'objects'
      ? { model: 'objects', hosts }
      : { model: 'attributes', hosts: hosts.map((host) => ({ name: host, addresses: [] })) };
  const domain = { object: 'domain', name } as const;
  return [
    { object: 'domain', verb: 'check', names: [name] },
    {
      ...domain,
      verb: 'create',
      period,
      ns,
      ...registrantOf,
      ...(contacts.length > 0 ? { contacts } : {}),
      authInfo,
      ...ext,
    },
    { ...domain, verb: 'info', authInfo },
    { ...domain, verb: 'renew', curExpDate: '2027-11-16', period, ...ext },
    { ...domain, verb: 'transfer', op: 'request', authInfo, period, ...ext },
    { ...domain, verb: 'update', add: { statuses: [{ value: 'clientTransferProhibited' }] } },
    { ...domain, verb: 'delete' },
  ];
}

describe.each(bundledProfiles())('%s', (name) => {
  const profile = readProfile(bundledProfile(name)!, name);

  test('writes every domain command within its rules and valid against the schemas', () => {
    for (const request of lifeOf(profile)) {
      checkRequest(request, profile);
      expect(schemas.validator(writeCommand(withFixed(request, profile), 'ABC-1', profile.namespaces))).toEqual([]);
    }
  });

  test('sends contacts only if the profile includes them', () => {
    const contact = { object: 'contact', verb: 'info', id: 'holder-1' } as const;
    const { dataModel } = profile.rules;
    const write = () => writeCommand(contact, 'ABC-1', profile.namespaces);
    if (dataModel === 'thin' || dataModel === 'minimum') {
      expect(write).toThrow('not served');
      const [, create] = lifeOf(profile) as [unknown, DomainCreateRequest];
      expect(() => checkRequest({ ...create, registrant: 'holder-1' }, profile)).toThrow('takes no contacts');
    } else expect(schemas.validator(write())).toEqual([]);
  });

  test('has a documented section with known facts and questions to the registry', () => {
    const page = readFileSync('docs/operate/registry-profiles.md', 'utf8');
    const [, section] = page.split(`\n## ${name}\n`);
    expect(section?.split('\n## ')[0]).toMatch(/\*\*Known:\*\*[\s\S]*\*\*Ask the registry:\*\*/);
  });
});

test('sends the product dotNET for a .net domain at Verisign', () => {
  const profile = readProfile(bundledProfile('verisign')!, 'verisign');
  const [check] = lifeOf(profile);
  expect(writeCommand(withFixed(check!, profile), 'ABC-1', profile.namespaces)).toContain('>dotNET<');
});

test('sends the contacts in the create command to CentralNic by the data set of the TLD', async () => {
  const file = JSON.parse(bundledProfile('centralnic')!);
  const profile = readProfile(JSON.stringify({ ...file, tlds: { small: { dataModel: 'minimum' } } }), 'centralnic');
  const frames: string[] = [];
  const send = async (request: ObjectRequest) => {
    checkRequest(request, profile);
    frames.push(writeCommand(withFixed(request, profile), 'ABC-1', profile.namespaces));
    throw new EppUnsentError('connect-failed', 'no connection in this test');
  };
  const pool = { send } as unknown as EppPool<CommandContext>;
  const driver = eppRegistry({ id: 'centralnic', clientId: 'us', profile, pool, chance: systemIds.text });
  const roles = { registrant: 'id-1', admin: 'id-2', tech: 'id-3', billing: 'id-4' };
  for (const name of ['a-name.large', 'a-name.small']) {
    const { registrant, ...contacts } = sentRolesOf(roles, driver.capabilitiesOf(name));
    const order = { name, years: 1, nameservers: [], ds: [], registrant, contacts, extra: {} };
    await driver.create(order as unknown as Parameters<typeof driver.create>[0], {});
  }
  const contactsOf = (frame: string) => frame.match(/<domain:(registrant|contact)\b[^/]*/g);
  expect(frames.map(contactsOf)).toEqual([['<domain:registrant>id-1<', '<domain:contact type="tech">id-3<'], null]);
  for (const frame of frames) expect(schemas.validator(frame)).toEqual([]);
});

test('refuses an unknown profile name', () => {
  expect(bundledProfile('../read-profile')).toBeUndefined();
  expect(bundledProfiles()).toContain('generic-rfc');
});
