import { allTenants, sql } from '@namehold/postgres';
import { expect } from 'vitest';
import type { TestService } from '../support/service.ts';

export interface StatementLine {
  readonly id: number;
  readonly kind: 'charge' | 'refund' | 'deposit';
  readonly command: string;
  readonly domain: string;
  readonly amount: string;
}

const linesPerPage = 400;
export const cents = (text: string): bigint => BigInt(text.replace('.', ''));

/** Every line of our account at the sandbox registry, page by page. */
async function readStatement(t: TestService): Promise<StatementLine[]> {
  const lines: StatementLine[] = [];
  for (let after = 0; ; after = lines.at(-1)!.id) {
    const { body } = await t.control('GET', `/statement?client=namehold&limit=${linesPerPage}&after=${after}`);
    lines.push(...(body.entries as StatementLine[]));
    if (body.entries.length < linesPerPage) return lines;
  }
}

/** Our own ledger's debt to the registry, in minor units. */
async function owedToRegistry(t: TestService): Promise<bigint> {
  const { owed } = await t.ctx.db.as(allTenants).one<{ owed: string }>(sql`
    select coalesce(sum(e.amount), 0) as owed from ledger_entry e join ledger_account a on a.id = e.account_id
    where a.kind = 'registry_payable'`);
  return BigInt(owed);
}

/** To the cent, and line by line: nothing was charged twice. */
export async function statementAgrees(t: TestService): Promise<StatementLine[]> {
  const lines = await readStatement(t);
  let sum = 0n;
  const creates = new Map<string, number>();
  for (const line of lines) {
    if (line.kind === 'charge') sum += cents(line.amount);
    if (line.kind === 'refund') sum -= cents(line.amount);
    if (line.kind === 'charge' && line.command === 'create')
      creates.set(line.domain, (creates.get(line.domain) ?? 0) + 1);
  }
  expect(await owedToRegistry(t), 'our ledger against the account statement of the registry').toBe(sum);
  expect([...creates].filter(([, times]) => times > 1)).toEqual([]);
  return lines;
}
