import { readFileSync } from 'node:fs';
import type { AuditHead } from '../core/audit/chain.sql.ts';
import { allHeads, verifyAudit } from '../core/audit/verify.ts';
import { type Command, optional, UsageError } from './command.ts';

const heads: Command = {
  name: 'audit heads',
  summary: 'Print where the audit chain of each reseller stands, to be kept outside',
  usage: 'audit heads',
  async run({ tools }) {
    const found = await tools.withContext((ctx) => allHeads(ctx));
    return { lines: found.map((head) => JSON.stringify(head)), json: found };
  },
};

const words = {
  changed: 'was changed',
  removed: 'was removed',
  inserted: 'was slipped in: it has no link',
  link_missing: 'has lost the link before it',
  head_differs: 'does not end at the head of the chain',
  not_as_kept: 'is not what the kept head says',
};

const verify: Command = {
  name: 'audit verify',
  summary: 'Check the audit log against its chains, and against heads that were kept',
  usage: 'audit verify [--heads FILE]',
  options: { heads: { type: 'string', about: 'What audit heads printed earlier.' } },
  async run(call) {
    const file = optional(call, 'heads');
    const report = await call.tools.withContext((ctx) => verifyAudit(ctx.db, file ? readKept(file) : []));
    const isWhole = report.breaks.length === 0;
    return {
      lines: isWhole
        ? [`the audit log is whole: ${report.heads} chains`]
        : report.breaks.map(
            (b) => `reseller ${b.reseller_id}, number ${b.number ?? '-'}, row ${b.audit_id ?? '-'} ${words[b.problem]}`,
          ),
      json: report,
      exitCode: isWhole ? 0 : 1,
    };
  },
};

/** One JSON object a line, or the array that `--json` prints. */
function readKept(file: string): AuditHead[] {
  try {
    const text = readFileSync(file, 'utf8').trim();
    const rows = (
      text.startsWith('[') ? JSON.parse(text) : text.split('\n').map((line) => JSON.parse(line))
    ) as AuditHead[];
    if (rows.some((row) => !/^\d+$/.test(String(row.reseller_id)) || !/^\d+$/.test(String(row.number))))
      throw new Error('no heads');
    return rows;
  } catch (error) {
    throw new UsageError(`${file} does not hold what namehold audit heads prints: ${(error as Error).message}`);
  }
}

export const auditCommands: readonly Command[] = [heads, verify];
