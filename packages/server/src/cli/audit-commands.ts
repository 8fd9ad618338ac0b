import { readFileSync } from 'node:fs';
import type { AuditHead } from '../core/audit/chain.sql.ts';
import { allHeads, verifyAudit } from '../core/audit/verify.ts';
import { type Command, optional, UsageError } from './command.ts';

const heads: Command = {
  name: 'audit heads',
  summary: "Print the head of each reseller's audit hash chain, to be stored outside the database",
  usage: 'audit heads',
  async run({ tools }) {
    const found = await tools.withContext((ctx) => allHeads(ctx));
    return { lines: found.map((head) => JSON.stringify(head)), json: found };
  },
};

const problemTexts = {
  changed: 'was changed',
  removed: 'was removed',
  inserted: 'was inserted outside the chain: it has no link',
  link_missing: 'has no link to the row before it',
  head_differs: 'is the last row and differs from the head of the chain',
  not_as_kept: 'differs from the stored head',
};

const verify: Command = {
  name: 'audit verify',
  summary: 'Verify the hash chains of the audit log, and compare them with stored heads',
  usage: 'audit verify [--heads FILE]',
  options: { heads: { type: 'string', about: 'File with the earlier output of audit heads.' } },
  async run(call) {
    const file = optional(call, 'heads');
    const report = await call.tools.withContext((ctx) => verifyAudit(ctx.db, file ? readKept(file) : []));
    const isIntact = report.breaks.length === 0;
    return {
      lines: isIntact
        ? [`the audit log is intact: ${report.heads} chains`]
        : report.breaks.map(
            (b) =>
              `reseller ${b.reseller_id}, number ${b.number ?? '-'}, row ${b.audit_id ?? '-'} ${problemTexts[b.problem]}`,
          ),
      json: report,
      exitCode: isIntact ? 0 : 1,
    };
  },
};

/** Accepts both outputs of `audit heads`: one JSON object per line, or the array of `--json`. */
function readKept(file: string): AuditHead[] {
  try {
    const text = readFileSync(file, 'utf8').trim();
    const rows = (
      text.startsWith('[') ? JSON.parse(text) : text.split('\n').map((line) => JSON.parse(line))
    ) as AuditHead[];
    if (rows.some((row) => !/^\d+$/.test(String(row.reseller_id)) || !/^\d+$/.test(String(row.number))))
      throw new Error('reseller_id and number must be numbers');
    return rows;
  } catch (error) {
    throw new UsageError(`${file} is not an output of namehold audit heads: ${(error as Error).message}`);
  }
}

export const auditCommands: readonly Command[] = [heads, verify];
