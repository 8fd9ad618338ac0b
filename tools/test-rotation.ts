import { commit, hash } from './chaos.ts';

/**
 * Slow files about faults, lost processes, random input and foreign clients, the slowest first. A complete short run executes one of
 * four neighbours, and the commit decides which. The long run, and a run of named files, execute all.
 */
export const rotating = [
  'test/upstream/openprovider.test.ts',
  'test/upstream/realtimeregister.test.ts',
  'test/upstream/opensrs.test.ts',
  'test/upstream/logicboxes.test.ts',
  'packages/server/test/embedded/folders.test.ts',
  'packages/server/test/cli/backup.test.ts',
  'test/namehold-upstream/kill.test.ts',
  'packages/server/test/certificates/certificates.test.ts',
  'test/upstream/kill-points.test.ts',
  'test/nameservers/peers.test.ts',
  'test/registry/independent-registry.test.ts',
  'packages/server/test/domains/directed-faults.test.ts',
  'packages/server/test/domains/order-path/order-path.test.ts',
  'packages/server/test/mx/mail-host.test.ts',
  'packages/server/test/common/master-key.test.ts',
  'packages/server/test/request-pipeline/swagger.test.ts',
  'packages/server/test/registries/sandbox-systems.test.ts',
  'test/upstream/faulted-orders.test.ts',
  'test/fuzz/prototype.test.ts',
  'test/faults/registry-down.test.ts',
  'packages/server/test/request-pipeline/replica.test.ts',
  'packages/server/test/embedded/service-process.test.ts',
  'test/faults/few-sessions.test.ts',
  'test/namehold-upstream/chain.test.ts',
  'packages/server/test/request-pipeline/cluster.test.ts',
  'packages/server/test/request-pipeline/frozen-database.test.ts',
  'test/fuzz/fuzz.test.ts',
  'packages/server/test/deletion/pairs.test.ts',
  'packages/base/test/watchdog.test.ts',
  'packages/server/test/reconciliation/departures.test.ts',
  'packages/dns/test/external-checkers.test.ts',
  'packages/server/test/nameservers/zone-updates.test.ts',
  'test/sim/unsynchronised/unsynchronised.test.ts',
  'packages/dns/test/answer-cache.test.ts',
  'test/faults/faulted-orders.test.ts',
  'packages/server/test/zones/large.test.ts',
  'packages/server/test/request-pipeline/try-it-out.test.ts',
  'packages/server/test/request-pipeline/deep-lists.test.ts',
  'packages/server/test/request-pipeline/secrets.test.ts',
  'test/faults/hung-process.test.ts',
  'test/namehold-upstream/two-services.test.ts',
  'packages/server/test/request-pipeline/stopped-primary.test.ts',
  'packages/server/test/request-pipeline/shutdown.test.ts',
  'test/faults/idempotency.test.ts',
  'test/docs/upstream-pages.test.ts',
  'test/upstream/figures.test.ts',
  'test/fuzz/zone-files.test.ts',
  'test/faults/shared-work.test.ts',
  'packages/server/test/notices/delivery.test.ts',
  'test/upstream/centralnic.test.ts',
  'test/fuzz/heavy.test.ts',
  'packages/server/test/embedded/first-starts.test.ts',
  'test/faults/silent-database.test.ts',
  'packages/server/test/reconciliation/recheck-orders.test.ts',
  'packages/console/test/edit-conflict.test.ts',
  'packages/console/test/upstream.test.ts',
  'packages/server/test/request-pipeline/outage.test.ts',
  'test/namehold-upstream/contract-only.test.ts',
  'test/clients/blesta.test.ts',
  'packages/epp/test/client-wire.test.ts',
  'test/upstream/logicboxes-terms.test.ts',
  'test/upstream/logicboxes-account.test.ts',
  'test/registry/foreign-currency.test.ts',
  'packages/server/test/request-pipeline/idempotency-outage.test.ts',
  'test/upstream/openprovider-terms.test.ts',
  'test/upstream/openprovider-account.test.ts',
  'packages/server/test/operations/jobs.test.ts',
  'test/deploy/npm-start.test.ts',
  'packages/server/test/domains/account-queue.test.ts',
  'packages/server/test/domains/order-cost.test.ts',
  'packages/server/test/embedded/supervision.test.ts',
  'packages/server/test/notices/mail-budgets.test.ts',
  'packages/server/test/request-pipeline/account-locks.test.ts',
  'test/clients/other-clients.test.ts',
  'packages/server/test/request-pipeline/slow-bodies.test.ts',
  'test/upstream/realtimeregister-account.test.ts',
  'test/upstream/realtimeregister-terms.test.ts',
  'packages/server/test/operations/crash.test.ts',
  'packages/server/test/nameservers/process.test.ts',
];

/**
 * Other long files, in pairs about related areas. A complete short run executes one file of each pair, so that every run tests every
 * area: one commit plays scripts, the next one kills processes.
 */
export const alternating: readonly (readonly [string, string])[] = [
  ['test/sim/life.test.ts', 'test/faults/kill.test.ts'],
  ['packages/console/test/operator.test.ts', 'packages/console/test/pages.test.ts'],
  ['packages/console/test/customers.test.ts', 'packages/console/test/users.test.ts'],
  ['packages/console/test/dns-editor.test.ts', 'packages/console/test/templates.test.ts'],
  ['packages/console/test/me.test.ts', 'packages/console/test/windows.test.ts'],
  ['packages/server/test/request-pipeline/budgets.test.ts', 'packages/server/test/request-pipeline/guessing.test.ts'],
  ['packages/server/test/forwarding/targets.test.ts', 'packages/server/test/edge/edge.test.ts'],
  [
    'packages/server/test/registries/unusual-registry.test.ts',
    'packages/server/test/registries/unusual-registry-without-sponsor.test.ts',
  ],
  ['packages/sandbox/test/faults.test.ts', 'packages/sandbox/test/fault-answers.test.ts'],
  ['packages/dns/test/property.test.ts', 'packages/dns/test/zone-file.test.ts'],
  ['packages/epp/test/fuzz.test.ts', 'packages/epp/test/xml.test.ts'],
  ['packages/console/test/domains.test.ts', 'packages/console/test/buy.test.ts'],
  ['test/tenants/scopes.test.ts', 'test/tenants/matrix.test.ts'],
  ['test/tenants/callers.test.ts', 'test/tenants/customers.test.ts'],
  ['packages/server/test/domains/expiry.test.ts', 'packages/server/test/domains/transfer-out.test.ts'],
  ['packages/server/test/domains/transfer-in.test.ts', 'packages/server/test/domains/move.test.ts'],
  ['packages/server/test/domains/orders/immediate.test.ts', 'packages/server/test/domains/orders/waiting.test.ts'],
  ['packages/server/test/request-pipeline/rate-limits.test.ts', 'packages/server/test/events/stream.test.ts'],
  [
    'packages/server/test/reconciliation/reconciliation.test.ts',
    'packages/server/test/reconciliation/operator.test.ts',
  ],
  ['packages/server/test/domains/purchases.test.ts', 'packages/server/test/domains/orders/refusals.test.ts'],
  ['packages/server/test/domains/renewal-mode.test.ts', 'packages/server/test/domains/registrant-change.test.ts'],
  ['packages/server/test/invoices/invoices.test.ts', 'packages/server/test/invoices/children.test.ts'],
  ['packages/console/test/shell.test.ts', 'packages/console/test/reports.test.ts'],
  ['packages/server/test/payments/payments.test.ts', 'packages/server/test/payments/matching.test.ts'],
  ['packages/server/test/users/sessions.test.ts', 'packages/server/test/users/revoked-sessions.test.ts'],
];

export const rotations = 4;

/** The rotation of this commit, from 1; `TEST_ROTATION` chooses another. `TEST_TURN` is its former name. */
export const rotationNow = (): number =>
  Number(process.env.TEST_ROTATION ?? process.env.TEST_TURN) || 1 + (hash(`turn ${commit()}`) % rotations);

/** The files that a run of this rotation leaves out. Neighbours in the list take about as long, so that rotations do too. */
export function outOfRotation(rotation: number): string[] {
  if (!(Number.isInteger(rotation) && rotation >= 1 && rotation <= rotations))
    throw new Error(`TEST_ROTATION is 1 to ${rotations}`);
  const others = rotating.filter((_file, place) => place % rotations !== rotation - 1);
  return [...others, ...alternating.map((pair) => pair[rotation % 2]!)];
}
