import type { Reader, Sql, Tenant } from '@namehold/postgres';
import type { TestService } from '../../../../test/support/service.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** Rows of tables and indexes that a plan reads. */
function walked(plan: Plan): number {
  const isScan = plan['Node Type'].includes('Scan');
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, each) => sum + walked(each), isScan ? own : 0);
}

/** Records how many rows each statement reads, by running EXPLAIN with it. */
export function explainReads(t: TestService): { readonly text: string; readonly rows: number }[] {
  const { db } = t.ctx;
  const noted: { text: string; rows: number }[] = [];
  const note = async (reader: Reader, { text, values }: Sql) => {
    const explained = { text: `explain (analyze, timing off, format json) ${text}`, values };
    const [found] = await reader.many<{ 'QUERY PLAN': readonly { readonly Plan: Plan }[] }>(explained);
    noted.push({ text, rows: walked(found!['QUERY PLAN'][0]!.Plan) });
  };
  const noting = (as: (tenant: Tenant) => Reader) => (tenant: Tenant) => {
    const reader = as(tenant);
    const first =
      <T>(read: (statement: Sql) => Promise<T>) =>
      async (statement: Sql) => {
        await note(reader, statement);
        return read(statement);
      };
    return {
      many: first((statement) => reader.many(statement)),
      maybe: first((statement) => reader.maybe(statement)),
      one: first((statement) => reader.one(statement)),
    } as Reader;
  };
  db.as = noting(db.as.bind(db));
  db.asReplica = noting(db.asReplica.bind(db));
  return noted;
}
