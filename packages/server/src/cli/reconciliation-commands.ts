import { operatorId } from '../core/accounts/account.ts';
import { Refusal } from '../core/errors.ts';
import type { AnyOperation } from '../core/operations/list-all.sql.ts';
import { type Choice, choices, finalStates, openStates } from '../core/operations/operation.ts';
import { settleManually } from '../core/operations/settle-manually.ts';
import { readAllOperations } from '../core/operator/overview.ts';
import {
  differenceKey,
  type ReconciliationSource,
  reconciliationSources,
  sentenceOf,
} from '../core/reconciliation/difference.ts';
import { mend, openDifferences, type RepairResult } from '../core/reconciliation/repair.ts';
import { Unfinished, verifyAndReport } from '../core/reconciliation/report.ts';
import {
  type Call,
  type Command,
  cliActor,
  type Outcome,
  optional,
  optionalId,
  positional,
  required,
  UsageError,
} from './command.ts';

const goOn = {
  type: 'boolean',
  about: 'Go on where the last comparison of the same books was ended, instead of from the beginning.',
} as const;

const verify: Command = {
  name: 'verify',
  summary: 'Compare the five books (entries, operations, domains, registry, invoices) and name every difference',
  usage: 'verify [--book entries,operations,domains,registry,invoices] [--continue]',
  options: {
    book: { type: 'string', about: 'Only these books, with commas in between; default: all five.' },
    continue: goOn,
  },
  async run(call) {
    const wanted = optional(call, 'book')?.split(',');
    const unknown = wanted?.find((each) => !(reconciliationSources as readonly string[]).includes(each));
    if (unknown !== undefined) throw new UsageError(`--book ${unknown}: there are ${reconciliationSources.join(', ')}`);
    return compare(call, (wanted as ReconciliationSource[] | undefined) ?? reconciliationSources);
  },
};

const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'Recompute every balance and transaction from the entries, and compare',
  usage: 'ledger verify [--continue]',
  options: { continue: goOn },
  run: (call) => compare(call, ['entries'], ['accounts', 'transactions', 'entries']),
};

/** A comparison that did not come to its end is neither well nor a difference, and has an exit code of its own. */
async function compare(
  call: Call,
  wanted: readonly ReconciliationSource[],
  counted?: readonly string[],
): Promise<Outcome> {
  try {
    const goesOn = call.options.continue === true;
    const { counts: all, ...report } = await call.tools.withContext((ctx) =>
      verifyAndReport(ctx, wanted, { goesOn, isPrinted: true }),
    );
    const { differences, found, skipped } = report;
    const counts = Object.fromEntries(Object.entries(all).filter(([name]) => counted?.includes(name) ?? true));
    const lines = [
      Object.entries(counts)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
      ...skipped.map((each) => `registry ${each.registry_id} could not be compared: ${each.why}`),
      ...differences.flatMap((each) => [differenceKey(each), `  ${sentenceOf(each)}`, `  mend: ${each.mend.words}`]),
      found === 0 ? 'no differences' : `${found} differences. namehold mend --dry-run shows what would put them right`,
    ];
    return { lines, json: { counts, ...report }, exitCode: found === 0 && skipped.length === 0 ? 0 : 1 };
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    return { lines: [error.message], json: { error: error.message, is_unfinished: true }, exitCode: 3 };
  }
}

const repairCommand: Command = {
  name: 'mend',
  summary: 'Carry out what verify suggests, for some differences or for all',
  usage: 'mend [KEY ...] [--all] [--dry-run] [--reason TEXT]',
  options: {
    all: {
      type: 'boolean',
      about: 'Every open difference that has a mend, except those that a person decides (accept, undelete).',
    },
    'dry-run': { type: 'boolean', about: 'Only say what would be done; without keys: for every difference.' },
    reason: { type: 'string', about: 'Why, for the audit log. Needed unless it is a dry run.' },
  },
  async run(call) {
    const isDryRun = call.options['dry-run'] === true;
    const reason = isDryRun ? (optional(call, 'reason') ?? 'dry run') : required(call, 'reason');
    const isEach = call.positionals.length === 0 && (isDryRun || call.options.all === true);
    if (call.positionals.length === 0 && !isEach)
      throw new UsageError('name the differences, or say --all or --dry-run');
    const told = await call.tools.withContext(async (ctx) => {
      const known = await openDifferences(ctx);
      // What a person has to decide is not decided for all of them at once.
      const decided = known.filter(
        ({ difference }) => isDryRun || !['accept', 'undelete'].includes(difference.mend.act),
      );
      const open = isEach ? decided.map(({ key }) => key) : call.positionals;
      const answers: (RepairResult | { key: string; isDone: false; says: string })[] = [];
      for (const key of open) {
        try {
          answers.push(await mend(ctx, cliActor(operatorId), { key, reason, isDryRun }));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          answers.push({ key, isDone: false, says: error.message });
        }
      }
      return answers;
    });
    const lines = told.flatMap(({ key, isDone, says }) => [key, `  ${isDone ? 'done: ' : ''}${says}`]);
    const isWell = isDryRun || told.every((each) => each.isDone);
    return {
      lines: lines.length === 0 ? ['no open differences'] : lines,
      json: told.map(({ isDone, ...each }) => ({ ...each, is_done: isDone })),
      exitCode: isWell ? 0 : 1,
    };
  },
};

const operations: Command = {
  name: 'operations',
  summary: 'List the operations of all resellers, newest first',
  usage: 'operations [--state open|STATE] [--kind KIND] [--reseller ID] [--limit N]',
  options: {
    state: { type: 'string', about: 'open for every one that has not ended, or one state; default: open.' },
    kind: { type: 'string', about: 'Only this kind, such as register.' },
    reseller: { type: 'string', about: 'Only of this reseller.' },
    limit: { type: 'string', about: 'How many at most; default: 50.' },
  },
  async run(call) {
    const state = optional(call, 'state') ?? 'open';
    const limit = Number(optional(call, 'limit') ?? 50);
    if (!Number.isInteger(limit) || limit < 1 || limit > 10_000) throw new UsageError('--limit must be 1 to 10000');
    if (![...openStates, ...finalStates, 'open'].some((each) => each === state))
      throw new UsageError(`--state must be open, ${[...openStates, ...finalStates].join(', ')}`);
    const filter = { state, kind: optional(call, 'kind'), resellerId: optionalId(call, 'reseller') };
    const { rows, total } = await call.tools.withContext((ctx) =>
      readAllOperations(ctx, cliActor(operatorId), filter, { limit, offset: 0 }),
    );
    const lines = rows.map(
      (each) =>
        `${each.id}  ${each.kind}  ${each.state}  ${each.domain_name ?? '-'}  reseller ${each.reseller_id}  ${each.created_at.toISOString()}` +
        `${each.attention ? `  ${each.attention.why}` : ''}`,
    );
    return { lines: [`${total} operations`, ...lines], json: rows.map(plainOperation) };
  },
};

/** Without what is sealed, and by the names that HTTP has for it. */
const plainOperation = ({ secrets_sealed: _, id, registry_id, ...shown }: AnyOperation) => ({
  operation_id: id,
  registry: registry_id,
  ...shown,
});

const settle: Command = {
  name: 'operation settle',
  summary: 'Settle an operation that does not come to its end by itself',
  usage: 'operation settle ID --decision done|refused|ask-again --reason TEXT [--dry-run]',
  options: {
    decision: {
      type: 'string',
      about: 'done: the registry must show it, or refuse to tell; refused: money goes back; ask-again: try now.',
    },
    reason: { type: 'string', about: 'Why, for the audit log.' },
    'dry-run': { type: 'boolean', about: 'Only say what would happen.' },
  },
  async run(call) {
    const decision = required(call, 'decision').replace('-', '_');
    if (!choices.some((each) => each === decision))
      throw new UsageError('--decision must be done, refused or ask-again');
    const id = positional(call, 0, 'the id of the operation');
    const isDryRun = call.options['dry-run'] === true;
    const order = { decision: decision as Choice, reason: required(call, 'reason'), isDryRun };
    const { says, operation } = await call.tools.withContext((ctx) =>
      settleManually(ctx, cliActor(operatorId), id, order),
    );
    return {
      lines: isDryRun ? [`would ${says}`] : [says, `operation ${id} is ${operation.state}`],
      json: { dry_run: isDryRun, says, operation: plainOperation(operation) },
    };
  },
};

export const reconciliationCommands: readonly Command[] = [verify, ledgerVerify, repairCommand, operations, settle];
