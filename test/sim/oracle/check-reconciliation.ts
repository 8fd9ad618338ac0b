import type { Difference } from '../../../packages/server/src/core/reconciliation/difference.ts';
import { nudge, readPayable } from '../facts.ts';
import type { Play } from '../player.ts';
import type { Account } from './account.ts';
import { Disagreement } from './disagreement.ts';
import type { Accounts } from './oracle.ts';
import { decimal } from './price-table.ts';
import { describeDifferences, readDifferences } from './read-differences.ts';
import { untilNone } from './until-none.ts';

/** Domains of earlier scripts age too; background jobs follow them within this time. */
const catchUpMs = 300_000;

/** docs/operate/reconciliation.md: the sources agree, or the difference is a documented one. */
export async function checkReconciliation(play: Play, accounts: Accounts, waitMs = catchUpMs): Promise<void> {
  const differs = async () => {
    const unforeseen = (await readDifferences(play.installation)).filter((each) => !isForeseen(each, accounts));
    return unforeseen.length === 0 ? undefined : describeDifferences(unforeseen);
  };
  const difference = await untilNone(waitMs, differs, () => nudge(play.installation));
  if (difference !== undefined) throw new Disagreement('ledger', `namehold verify finds\n${difference}`);
  await checkPayable(play, accounts, waitMs);
}

/**
 * Our ledger equals the registry's statement, to the cent and at any time, also for years that the registry added automatically and that
 * are unpaid (docs/decisions/0035). Refunds by an operator, and unproven ones, are differences that `verify` reports too.
 */
async function checkPayable({ installation, ledger }: Play, accounts: Accounts, waitMs: number): Promise<void> {
  const sum = (of: (account: Account) => number) => [...accounts.values()].reduce((total, each) => total + of(each), 0);
  const [least, most] = [-sum(({ forgivenCents }) => forgivenCents), sum(({ withheldCents }) => withheldCents)];
  const differs = async () => {
    await ledger.statement.read(installation);
    const gap = (await readPayable(installation)) - ledger.statement.owedCents - ledger.openingGap;
    if (gap >= least && gap <= most) return undefined;
    return `our ledger owes the registry ${decimal(gap)} more than its statement`;
  };
  const difference = await untilNone(waitMs, differs, () => nudge(installation));
  if (difference !== undefined) throw new Disagreement('ledger', difference);
}

function isForeseen({ rule, name, amount }: Difference, accounts: Accounts): boolean {
  const account: Account | undefined = accounts.get(name ?? '');
  if (account === undefined) return false;
  // docs/operate/monitoring.md, expiry:<domain>: a year that its registry has added permanently and that is unpaid. Its charge is in our
  // ledger.
  if (rule === 'expiry_differs') return account.lossCents > 0 && Number(amount ?? 0) <= account.lossCents;
  if (rule === 'payable_differs') return account.forgivenCents > 0 && Number(amount ?? 0) <= account.forgivenCents;
  // The same page, refund:<operation>: verify reports the missing refund of the reseller.
  return rule === 'registry_gave_back' && account.withheldCents > 0;
}
