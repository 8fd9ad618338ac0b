import type { Difference } from '../../packages/server/src/core/books/difference.ts';
import type { Account } from './account.ts';
import { readBooks, told } from './books.ts';
import { Disagreement } from './disagreement.ts';
import { nudge } from './facts.ts';
import type { Accounts } from './judge.ts';
import type { Play } from './player.ts';
import { untilNone } from './until-none.ts';

/** Names of earlier scripts grow old too; the clockwork follows them within this. */
const catchUpMs = 300_000;

/** docs/operate/verify-and-mend.md: the four books agree, or the difference is one that the documents foresee. */
export async function judgeBooks(play: Play, accounts: Accounts, waitMs = catchUpMs): Promise<void> {
  const differs = async () => {
    const unforeseen = (await readBooks(play.world)).filter((each) => !isForeseen(each, accounts));
    return unforeseen.length === 0 ? undefined : told(unforeseen);
  };
  const difference = await untilNone(waitMs, differs, () => nudge(play.world));
  if (difference !== undefined) throw new Disagreement('books', `namehold verify finds\n${difference}`);
}

function isForeseen({ rule, name, amount }: Difference, accounts: Accounts): boolean {
  const account: Account | undefined = accounts.get(name ?? '');
  if (account === undefined) return false;
  // docs/operate/monitoring.md, expiry:<domain>: a year that its registry has added for good, and nobody has paid. Its charge is in our books.
  if (rule === 'expiry_differs') return account.lossCents > 0 && Number(amount ?? 0) <= account.lossCents;
  if (rule === 'payable_differs') return account.forgivenCents > 0 && Number(amount ?? 0) <= account.forgivenCents;
  // The same page, refund:<operation>: verify names what the reseller is owed.
  return rule === 'registry_gave_back' && account.withheldCents > 0;
}
