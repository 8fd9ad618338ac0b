import { nudge, type Registered, read, readRegistered } from '../facts.ts';
import type { Play } from '../player.ts';
import type { Trader } from '../resellers.ts';
import { type Account, expiryAgrees } from './account.ts';
import { sameDay, yearsOn } from './calendar.ts';
import { Disagreement } from './disagreement.ts';
import type { Accounts } from './oracle.ts';
import { untilNone } from './until-none.ts';

const stateOf: Readonly<Record<Registered['phase'], string>> = {
  active: 'live',
  expired: 'live',
  pendingCreate: 'pending',
  redemption: 'redemption',
  pendingRestore: 'pending_restore',
  pendingDelete: 'pending_delete',
};

const catchUpMs = 300_000;
const namesAtOnce = 8;

/** Background jobs read messages and dates at intervals (docs/operate/registry-behaviour.md: every minute); later differences count. */
export async function checkDomains(play: Play, accounts: Accounts, shown: () => string): Promise<void> {
  const named = play.ledger.names.flatMap((name) => {
    const account = accounts.get(name);
    return account === undefined ? [] : [{ name, account }];
  });
  let left = named;
  const differs = async () => {
    const found: { name: string; account: Account & { buyer: Trader }; difference: string }[] = [];
    for (let at = 0; at < left.length; at += namesAtOnce) {
      const few = left.slice(at, at + namesAtOnce);
      const differences = await Promise.all(few.map(({ name, account }) => nameDifference(play, name, account)));
      for (const [place, difference] of differences.entries())
        if (difference !== undefined) found.push({ ...(few[place] as (typeof few)[number]), difference });
    }
    left = found;
    return found.length === 0 ? undefined : found.map(({ difference }) => difference).join('; ');
  };
  const difference = await untilNone(catchUpMs, differs, () => nudge(play.installation));
  if (difference !== undefined) throw new Disagreement('name', `${difference}\n${shown()}`);
}

async function nameDifference(
  { installation }: Play,
  name: string,
  account: Account & { buyer: Trader },
): Promise<string | undefined> {
  const there = await readRegistered(installation, name);
  const { status, body } = await read(installation, `/v1/domains/${name}`, account.buyer.caller);
  const here = status === 200 && body.state !== 'removed' ? (body.state as string) : 'none';
  const isOurs = there?.sponsor === 'namehold';
  const expected = !isOurs ? 'none' : there.transferPending ? 'pending_transfer' : stateOf[there.phase];
  if (here !== expected) return `${name} is ${here} here, and should be ${expected} by the registry`;
  if (!isOurs || there.phase !== 'active') return undefined;
  if (!expiryAgrees(account, there.expiresAt))
    return `${name} ends on ${there.expiresAt} at the registry, by the calendar on ${date(account.expiresAt ?? 0)}`;
  const paidUntil = yearsOn(Date.parse(there.expiresAt), -account.unpaidYears);
  const ours = Date.parse(`${(body.end_date as string).replace(' ', 'T')}Z`);
  if (sameDay(ours, paidUntil)) return undefined;
  return `${name} is paid until ${date(paidUntil)}, and end_date says ${body.end_date}`;
}

const date = (at: number): string => new Date(at).toISOString();
