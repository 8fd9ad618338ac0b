import { operatorId } from '../core/actors.ts';
import { Refusal } from '../core/errors.ts';
import { type Choice, choices, finalStates, openStates } from '../core/model/operation.ts';
import type { AnyOperation } from '../core/operations/list-all.sql.ts';
import { settleManually } from '../core/operations/settle-manually.ts';
import { readAllOperations } from '../core/operator/overview.ts';
import {
  type Difference,
  differenceKey,
  type ReconciliationSource,
  type RepairAction,
  reconciliationSources,
  sentenceOf,
} from '../core/reconciliation/difference.ts';
import { openDifferences, type RepairResult, repairDifference } from '../core/reconciliation/repair.ts';
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

const continueOption = {
  type: 'boolean',
  about: 'Continue an interrupted comparison of the same sources instead of starting again.',
} as const;

const verify: Command = {
  name: 'verify',
  summary:
    'Reconcile ledger entries, operations, domains, registries and invoices; report every difference, change nothing',
  usage: 'verify [--source entries,operations,domains,registry,invoices] [--continue]',
  options: {
    source: { type: 'string', about: 'Only these sources, comma-separated; default: all five.', alias: 'book' },
    continue: continueOption,
  },
  async run(call) {
    const wanted = optional(call, 'source')?.split(',');
    const unknown = wanted?.find((each) => !(reconciliationSources as readonly string[]).includes(each));
    if (unknown !== undefined)
      throw new UsageError(`--source must be one or more of ${reconciliationSources.join(', ')}, not "${unknown}"`);
    return compare(call, (wanted as ReconciliationSource[] | undefined) ?? reconciliationSources);
  },
};

const ledgerVerify: Command = {
  name: 'ledger verify',
  summary: 'Recompute balances and transactions from the ledger entries and compare them with the stored values',
  usage: 'ledger verify [--continue]',
  options: { continue: continueOption },
  run: (call) => compare(call, ['entries'], ['accounts', 'transactions', 'entries']),
};

/** The JSON output has the fields of earlier releases too. */
const withFormerNames = (each: Difference) => ({
  ...each,
  book: each.source,
  mend: { act: formerAction(each.repair.action), words: each.repair.message },
});
const formerAction = (action: RepairAction) => (action === 'manual' ? 'by_hand' : action);

/** An interrupted comparison is neither a success nor a difference, so it has its own exit code, 3. */
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
      ...differences.flatMap((each) => [
        differenceKey(each),
        `  ${sentenceOf(each)}`,
        `  repair: ${each.repair.message}`,
      ]),
      found === 0
        ? 'no differences'
        : `${found} ${found === 1 ? 'difference' : 'differences'}. Preview the repairs: namehold repair --dry-run`,
    ];
    return {
      lines,
      json: { counts, ...report, differences: differences.map(withFormerNames) },
      exitCode: found === 0 && skipped.length === 0 ? 0 : 1,
    };
  } catch (error) {
    if (!(error instanceof Unfinished)) throw error;
    return { lines: [error.message], json: { error: error.message, is_unfinished: true }, exitCode: 3 };
  }
}

const repairCommand: Command = {
  name: 'repair',
  aliases: ['mend'],
  summary: 'Carry out the repairs that verify suggests',
  usage: 'repair [KEY ...] [--all] [--dry-run] [--reason TEXT]',
  options: {
    all: {
      type: 'boolean',
      about: 'Repair every open difference, except accept, undelete and manual, which need your decision.',
    },
    'dry-run': { type: 'boolean', about: 'Only print what would be done; without keys, for every open difference.' },
    reason: { type: 'string', about: 'Reason for the audit log; required without --dry-run.' },
  },
  async run(call) {
    const isDryRun = call.options['dry-run'] === true;
    const reason = isDryRun ? (optional(call, 'reason') ?? 'dry run') : required(call, 'reason');
    const isEach = call.positionals.length === 0 && (isDryRun || call.options.all === true);
    if (call.positionals.length === 0 && !isEach)
      throw new UsageError('give the keys of differences, or --all or --dry-run');
    const results = await call.tools.withContext(async (ctx) => {
      const known = await openDifferences(ctx);
      // --all must not take decisions: these differences are repaired only by their key.
      const automatic = known.filter(
        ({ difference }) => isDryRun || !['accept', 'undelete'].includes(difference.repair.action),
      );
      const keys = isEach ? automatic.map(({ key }) => key) : call.positionals;
      const done: (RepairResult | { key: string; isDone: false; result: string })[] = [];
      for (const key of keys) {
        try {
          done.push(await repairDifference(ctx, cliActor(operatorId), { key, reason, isDryRun }));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          done.push({ key, isDone: false, result: error.message });
        }
      }
      return done;
    });
    const lines = results.flatMap(({ key, isDone, result }) => [key, `  ${isDone ? 'done: ' : ''}${result}`]);
    return {
      lines: lines.length === 0 ? ['no open differences'] : lines,
      json: results.map(({ isDone, ...each }) => ({
        ...each,
        is_done: isDone,
        says: each.result,
        ...('action' in each ? { act: formerAction(each.action) } : {}),
      })),
      exitCode: isDryRun || results.every((each) => each.isDone) ? 0 : 1,
    };
  },
};

const operations: Command = {
  name: 'operations',
  summary: 'List the operations of all resellers, newest first',
  usage: 'operations [--state open|STATE] [--kind KIND] [--reseller ID] [--limit N]',
  options: {
    state: { type: 'string', about: 'open for all unfinished operations, or one state; default: open.' },
    kind: { type: 'string', about: 'Only this kind, such as register.' },
    reseller: { type: 'string', about: 'Only operations of this reseller.' },
    limit: { type: 'string', about: 'Maximum number of operations; default: 50.' },
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

/** Without encrypted secrets, and with the field names of the HTTP API. `says` is the former name of `choice`. */
const plainOperation = ({ secrets_sealed: _, id, registry_id, decision, ...shown }: AnyOperation) => ({
  operation_id: id,
  registry: registry_id,
  ...shown,
  decision: decision && { choice: decision.says, ...decision },
});

const settle: Command = {
  name: 'operation settle',
  summary: 'Settle an operation that needs manual review',
  usage: 'operation settle ID --decision done|refused|recheck --reason TEXT [--dry-run]',
  options: {
    decision: {
      type: 'string',
      about:
        'done: capture the money, unless the registry contradicts; refused: release the money; recheck: query the registry now (formerly ask-again).',
    },
    reason: { type: 'string', about: 'Reason for the audit log.' },
    'dry-run': { type: 'boolean', about: 'Only print what would be done.' },
  },
  async run(call) {
    const given = required(call, 'decision').replace('-', '_');
    const decision = given === 'recheck' ? 'ask_again' : given;
    if (!choices.some((each) => each === decision)) throw new UsageError('--decision must be done, refused or recheck');
    const id = positional(call, 0, 'the id of the operation');
    const isDryRun = call.options['dry-run'] === true;
    const order = { decision: decision as Choice, reason: required(call, 'reason'), isDryRun };
    const { result, operation } = await call.tools.withContext((ctx) =>
      settleManually(ctx, cliActor(operatorId), id, order),
    );
    return {
      lines: isDryRun ? [`would ${result}`] : [result, `operation ${id} is ${operation.state}`],
      json: { dry_run: isDryRun, result, says: result, operation: plainOperation(operation) },
    };
  },
};

export const reconciliationCommands: readonly Command[] = [verify, ledgerVerify, repairCommand, operations, settle];
