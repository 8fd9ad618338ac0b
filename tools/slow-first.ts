import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, longest first: one of them begun last would keep the whole run waiting for itself. */
const slow = [
  'test/sim/',
  'server/test/domains/directed-faults',
  'test/faults/',
  'server/test/embedded/',
  'test/nameservers/',
  'test/registry/foreign',
  'server/test/cli/backup',
  'server/test/migrations/',
  'server/test/front-door/swagger',
  'server/test/nameservers/process',
  'server/test/common/master-key',
  'server/test/front-door/idempotency',
  'test/docs/',
  'test/contract/',
  'test/fuzz/',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const found = slow.findIndex((part) => moduleId.includes(part));
  return found === -1 ? slow.length : found;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
