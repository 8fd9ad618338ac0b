import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../../test/support/service.ts';
import { type StateRow, stateRows, statesPage } from '../../../../tools/pages/domain-states.ts';
import { stateFrom } from '../../src/core/domains/lifecycle.ts';
import { addYears, type Domain } from '../../src/core/model/domain.ts';
import type { RegistryDomain } from '../../src/core/ports/registry.ts';
import { sandboxCatalogue } from '../../src/embedded/sandbox-catalogue.ts';
import { statusText } from '../../src/http/v1/domains/status-text.ts';

const now = new Date('2027-03-01T12:00:00Z');
const day = 86_400_000;
const rules = (tld: string) => sandboxCatalogue().find((entry) => entry.name === tld)!.rules;

/** A domain and a view as a row of the table describes them. */
function scene(row: StateRow): { view: RegistryDomain | null; domain: Domain } {
  const endDate = new Date(now.getTime() + (row.term === 'running' ? 100 : -2) * day);
  const expiresAt = row.registryDate === 'a year ahead' ? addYears(endDate, 1) : endDate;
  const flags = { locked: false, suspended: false, theft_protection: false, ...row.flags };
  const domain = {
    state: row.before,
    removed_reason: null,
    end_date: endDate,
    redemption_ends_at: null,
    deleted_at: null,
    synced_at: null,
    transfer: row.comes ? { status: 'pending', from_registrar: 'rival', requested_at: null, action_at: null } : null,
    ...flags,
  };
  const view = row.registry && {
    name: 'example.com',
    sponsor: row.registry.ours ? 'namehold' : 'rival',
    isOurs: row.registry.ours,
    createdAt: null,
    updatedAt: null,
    expiresAt,
    transferredAt: null,
    statuses: row.registry.statuses,
    rgpStatuses: row.registry.rgp,
    registrant: null,
    contacts: {},
    nameservers: [],
    hosts: [],
    ds: [],
  };
  return { view, domain: domain as unknown as Domain };
}

test.each(stateRows)('derives the documented state: $when', (row) => {
  const { view, domain } = scene(row);
  const tld = row.term === 'over' && row.registryDate === 'same' ? 'id' : 'com';
  const life = stateFrom(view, domain, rules(tld), now);
  expect(life.state).toBe(row.state);
  expect(life.removedReason).toBe(row.removed_reason);
  expect(life.graceEndsAt !== null).toBe(row.dates.includes('grace_ends_at'));
  expect(life.redemptionEndsAt !== null).toBe(row.dates.includes('redemption_ends_at'));
  const registry_status = [...(view?.statuses ?? [])];
  const after = { ...domain, registry_status, state: life.state, removed_reason: life.removedReason };
  expect(statusText(after, now)).toMatchObject({ order_status: row.order_status, status: row.status });
});

test('covers every state of ours and every grace status of RFC 3915', () => {
  const states = new Set(stateRows.map((row) => row.state));
  expect([...states].sort()).toEqual(
    [
      'live',
      'pending',
      'pending_delete',
      'pending_restore',
      'pending_transfer',
      'redemption',
      'removed',
      'unpaid',
    ].sort(),
  );
  const graces = new Set(stateRows.flatMap((row) => row.registry?.rgp ?? []));
  for (const grace of [
    'addPeriod',
    'autoRenewPeriod',
    'renewPeriod',
    'transferPeriod',
    'redemptionPeriod',
    'pendingRestore',
    'pendingDelete',
  ]) {
    expect(graces.has(grace), grace).toBe(true);
  }
});

test('generates the guide page from the table', () => {
  expect(readFileSync(join(projectRoot, 'docs/guide/domain-states.md'), 'utf8')).toBe(statesPage());
});
