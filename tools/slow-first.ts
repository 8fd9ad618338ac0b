import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files, longest first: if one of them starts last, the whole run waits for it. */
const slow = [
  'test/sim/',
  'console/test/pages',
  'console/test/customers',
  'server/test/edge/',
  'console/test/operator',
  'console/test/domains',
  'server/test/certificates/',
  'test/upstream/faulted-orders',
  'test/upstream/kill-points',
  'test/upstream/realtimeregister.',
  'test/upstream/logicboxes.',
  'test/upstream/opensrs.',
  'test/upstream/openprovider.',
  'server/test/embedded/folders',
  'test/contract/contract',
  'test/docs/examples',
  'console/test/',
  'server/test/registries/sandbox-systems',
  'server/test/deletion/pairs',
  'server/test/mx/',
  'test/faults/kill',
  'server/test/nameservers/process',
  'server/test/domains/orders',
  'server/test/domains/directed-faults',
  'test/namehold-upstream/chain',
  'server/test/domains/order-path',
  'server/test/domains/transfer-',
  'server/test/domains/purchases',
  'server/test/domains/expiry',
  'server/test/domains/renewal-mode',
  'server/test/reconciliation/',
  'server/test/payments/matching',
  'server/test/cli/commands',
  'test/upstream/port',
  'test/upstream/centralnic',
  'server/test/events/stream',
  'server/test/notices/notices',
  'base/test/watchdog',
  'test/tenants/',
  'server/test/embedded/',
  'server/test/common/master-key',
  'server/test/notices/delivery',
  'test/faults/',
  'test/nameservers/',
  'test/registry/independent-registry',
  'server/test/cli/backup',
  'server/test/request-pipeline/swagger',
  'server/test/request-pipeline/idempotency',
  'test/fuzz/',
];

const rank = ({ moduleId, project }: TestSpecification): number => {
  // A worker belongs to a project and ends with the last of its consecutive files: these are in one project, so the longest starts at
  // once.
  // Many short files, which fill the workers at the end.
  if (project.name === 'console') return slow.length + 1;
  if (project.name !== 'namehold') return moduleId.includes('/migrations.test') ? -2 : -1;
  const found = slow.findIndex((part) => moduleId.includes(part));
  return found === -1 ? slow.length : found;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
