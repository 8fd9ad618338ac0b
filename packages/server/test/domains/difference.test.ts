import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { difference, flagsAfter, isEmptyChange, type Target, viewAfter } from '../../src/core/domains/change/wanted.ts';
import { wantedStatuses } from '../../src/core/model/domain.ts';
import type { Flag } from '../../src/core/model/domain-change.ts';
import type { DomainChange, DsRecord, RegistryDomain } from '../../src/core/ports/registry.ts';

const hosts = ['ns1.a.example', 'ns2.a.example', 'ns3.a.example', 'ns4.a.example'];
const handles = ['nh1', 'nh2', 'nh3'];
const records: DsRecord[] = [1, 2, 3].map((keytag) => ({
  keytag,
  algorithm: 13,
  digesttype: 2,
  digest: `${keytag}F`.repeat(32),
}));

const flags = fc.record({
  locked: fc.boolean(),
  suspended: fc.boolean(),
  theft_protection: fc.boolean(),
  unverified: fc.boolean(),
  unpaid: fc.boolean(),
});
const contactHandles = fc.record(
  { admin: fc.constantFrom(...handles), tech: fc.constantFrom(...handles), billing: fc.constantFrom(...handles) },
  { requiredKeys: [] },
);

const anyView = fc
  .record({
    hosts: fc.subarray(hosts),
    contacts: contactHandles,
    registrant: fc.constantFrom(...handles),
    flags,
    ds: fc.subarray(records),
  })
  .map(
    (v): RegistryDomain => ({
      name: 'a.example',
      sponsor: 'us',
      isOurs: true,
      createdAt: null,
      updatedAt: null,
      expiresAt: null,
      transferredAt: null,
      statuses: [...wantedStatuses(v.flags), 'serverHold'],
      rgpStatuses: [],
      registrant: v.registrant,
      contacts: v.contacts,
      nameservers: v.hosts,
      hosts: [],
      ds: v.ds,
    }),
  );

const anyTarget = fc
  .record({
    hosts: fc.option(fc.subarray(hosts, { minLength: 1 })),
    registrant: fc.option(fc.constantFrom(...handles)),
    contacts: fc.option(
      fc.record({
        admin: fc.option(fc.constantFrom(...handles)),
        tech: fc.option(fc.constantFrom(...handles)),
        billing: fc.option(fc.constantFrom(...handles)),
      }),
    ),
    present: flags,
    wanted: fc.option(
      fc.record(
        {
          locked: fc.boolean(),
          suspended: fc.boolean(),
          theft_protection: fc.boolean(),
          unverified: fc.boolean(),
          unpaid: fc.boolean(),
        },
        { requiredKeys: [] },
      ),
    ),
    ds: fc.shuffledSubarray(records),
    split: fc.nat(3),
  })
  .map(
    (v): Target => ({
      ...(v.hosts ? { nameservers: v.hosts.map((hostname) => ({ hostname, addresses: [] })) } : {}),
      ...(v.registrant ? { registrant: v.registrant } : {}),
      ...(v.contacts ? { contacts: v.contacts } : {}),
      ...(v.wanted ? { flags: v.wanted as Partial<Record<Flag, boolean>> } : {}),
      statuses: wantedStatuses(flagsAfter(v.present, { flags: (v.wanted ?? {}) as Partial<Record<Flag, boolean>> })),
      addDs: v.ds.slice(0, v.split),
      removeDs: v.ds.slice(v.split),
    }),
  );

/** Applies an update as a registry does. */
function apply(view: RegistryDomain, change: DomainChange): RegistryDomain {
  const contacts = { ...view.contacts };
  for (const role of ['admin', 'tech', 'billing'] as const) {
    if (change.removeContacts?.[role]) delete contacts[role];
    const added = change.addContacts?.[role];
    if (added) contacts[role] = added;
  }
  return {
    ...view,
    ...viewAfter(view, change),
    contacts,
    registrant: change.registrant ?? view.registrant,
    nameservers: [
      ...view.nameservers.filter((host) => !change.removeNameservers?.includes(host)),
      ...(change.addNameservers ?? []).map((host) => host.hostname),
    ],
  };
}

describe('the difference between the present and the wanted state', () => {
  const seeded = { seed: 20_261_115, numRuns: 2_000 };

  test('is empty after it was applied', () => {
    fc.assert(
      fc.property(anyView, anyTarget, (view, target) => {
        const after = apply(view, difference(view, target));
        expect(difference(after, target)).toEqual({});
      }),
      seeded,
    );
  });

  test('adds nothing that exists, removes nothing that does not, and changes nothing that was not named', () => {
    fc.assert(
      fc.property(anyView, anyTarget, (view, target) => {
        const change = difference(view, target);
        for (const host of change.addNameservers ?? []) expect(view.nameservers).not.toContain(host.hostname);
        for (const host of change.removeNameservers ?? []) expect(view.nameservers).toContain(host);
        for (const status of change.addStatuses ?? []) expect(view.statuses).not.toContain(status);
        for (const status of change.removeStatuses ?? []) {
          expect(view.statuses).toContain(status);
          // A status that another flag still requires stays.
          expect(target.statuses).not.toContain(status);
        }
        if (!target.flags) expect([change.addStatuses, change.removeStatuses]).toEqual([undefined, undefined]);
        if (!target.nameservers)
          expect([change.addNameservers, change.removeNameservers]).toEqual([undefined, undefined]);
        if (!target.contacts) expect([change.addContacts, change.removeContacts]).toEqual([undefined, undefined]);
        expect(apply(view, change).statuses).toContain('serverHold');
      }),
      seeded,
    );
  });

  test('always contains an auth code, because a registry never shows the present one', () => {
    const view = fc.sample(anyView, { seed: 1, numRuns: 1 })[0]!;
    expect(isEmptyChange(difference(view, { statuses: [], authCode: null }))).toBe(false);
    expect(isEmptyChange(difference(view, { statuses: [] }))).toBe(true);
  });
});
