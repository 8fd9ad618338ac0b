import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../faults/world.ts';
import { accident } from './accident.ts';
import { chooseDefault, chooseMode, isToBeRenewed } from './choose-mode.ts';
import type { EventReader } from './events.ts';
import { readRegistered, type StatementReader } from './facts.ts';
import { type Deposit, fund } from './fund.ts';
import { type Defaults, type ModeWish, modeOfNew } from './modes.ts';
import { answerOffer, type Move, offer, ownerOf } from './moves.ts';
import { dayMs } from './oracle/calendar.ts';
import { checkHolds } from './oracle/check-holds.ts';
import { graceDaysOf, leadDaysOf } from './oracle/graces.ts';
import { verificationRequests } from './oracle/verification.ts';
import { newOrder, type Order, place } from './order.ts';
import { confirm, newRegistrant, type RegistrantState } from './registrants.ts';
import type { Trader } from './resellers.ts';
import type { Boundary, Decision, OrderStep, Script, Step } from './script.ts';
import { actAsOtherRegistrar, cancelTransfer, newCode, requestTransferAway } from './transfers.ts';

/** The record of an installation's requests so far; the oracle starts from here. */
export interface Ledger {
  readonly chain: readonly Trader[];
  /** The balance of each level, in cents. */
  readonly opening: readonly number[];
  readonly statement: StatementReader;
  readonly otherRegistrarStatement: StatementReader;
  /** Domains that the other registrar has requested. */
  readonly asked: Set<string>;
  /** The difference between our debt to the registry and its statement. */
  readonly openingGap: number;
  readonly events: EventReader;
  /** The maximum error of a service's host clock; its recorded times have the same error. */
  skewMs: number;
  readonly orders: Order[];
  readonly moves: Move[];
  /** For domains with a registrant of their own. */
  readonly registrants: Map<string, RegistrantState>;
  /** The current reseller of a moved domain. */
  readonly owners: Map<string, Trader>;
  readonly wishes: ModeWish[];
  /** By level. */
  readonly defaults: readonly Defaults[];
  readonly deposits: Deposit[];
  /** The last known end of paid privacy. */
  readonly privacyUntil: Map<string, number>;
  /** Of the script that is running. */
  names: string[];
}

export interface Play {
  readonly installation: Installation;
  readonly ledger: Ledger;
  readonly script: Script;
  /** Open calls that are not awaited yet. */
  readonly pending: Promise<unknown>[];
}

let labels = 0;
export const freshNames = (script: Script): string[] =>
  script.tlds.map((tld) => {
    const label = `sim-${script.seed}-${(labels++).toString(36)}x`;
    return tld.includes('*') ? tld.replace('*', label) : `${label}.${tld}`;
  });

/** Everything except `check`. */
export async function carryOut(play: Play, step: Step): Promise<void> {
  if (step.afterMs) await sleep(step.afterMs);
  const { installation, ledger, pending } = play;
  switch (step.do) {
    case 'order':
      return order(play, step);
    case 'mode':
      return chooseMode(play, step);
    case 'other-registrar':
      return actAsOtherRegistrar(play, ledger.names[step.name] ?? '', step.act);
    case 'ask-away':
      return requestTransferAway(play, step);
    case 'new-code':
      return newCode(play, ledger.names[step.name] ?? '', step.isWrong);
    case 'cancel-transfer':
      return cancelTransfer(play, ledger.names[step.name] ?? '');
    case 'registrant':
      return newRegistrant(play, step);
    case 'confirm':
      pending.push(confirm(play, ledger.names[step.name] ?? ''));
      return;
    case 'offer':
      return offer(play, step);
    case 'answer-offer':
      pending.push(answerOffer(play, ledger.names[step.name] ?? ''));
      return;
    case 'default-mode':
      return chooseDefault(play, step);
    case 'fault': {
      const { name, ...spec } = step.fault;
      installation.tally.registryFaults += 1;
      if (spec.kind === 'held') installation.tally.lateCommands += 1;
      const aimed = name === undefined ? spec : { ...spec, name: ledger.names[name] };
      const seed = play.script.seed % 1_000_000;
      const set = await installation.control('POST', '/faults', { seed, client: 'namehold', ...aimed });
      if (set.error !== undefined) throw new Error(`the fault injector refused ${JSON.stringify(aimed)}: ${set.error}`);
      return;
    }
    case 'calm':
      await installation.control('DELETE', '/faults');
      return;
    case 'move':
      return moveBy(play, step.byS * 1_000);
    case 'move-to':
      return moveTo(play, ledger.names[step.name] ?? '', step.boundary, step.offsetS);
    case 'review':
      return review(play, ledger.names[step.name] ?? '', step.decision);
    case 'fund':
      return fund(play, step);
    case 'holds':
      return checkHolds(play);
    case 'until-struck':
      return untilStruck(play, ledger.names[step.name] ?? '', step.command);
    case 'wait':
      await sleep(step.ms);
      return;
    case 'check':
      return;
    default:
      return accident(play, step);
  }
}

interface SetFault {
  readonly name?: string;
  readonly commands?: readonly string[];
  readonly struck: number;
}

const strikeTries = 600;
const strikePauseMs = 50;

/** The wait for a command that never comes is limited; the script continues. */
async function untilStruck({ installation }: Play, name: string, command: string): Promise<void> {
  for (let left = strikeTries; left > 0; left--) {
    const { faults } = (await installation.control('GET', '/faults')) as { faults: SetFault[] };
    if (faults.some((fault) => fault.name === name && fault.commands?.includes(command) && fault.struck > 0)) return;
    await sleep(strikePauseMs);
  }
}

/** A registry with reviews has decided. */
export async function review({ installation }: Play, name: string, decision: Decision): Promise<void> {
  await installation.control('POST', `/domains/${name}/review`, { decision });
}

async function order(play: Play, step: OrderStep): Promise<void> {
  const { installation, ledger, script, pending } = play;
  const name = ledger.names[step.name] ?? '';
  const buyer = ownerOf(play, step.name);
  const made = await newOrder(installation, {
    verb: step.verb,
    name,
    buyer,
    isCodeWrong: step.isCodeWrong ?? false,
    remedy: step.remedy ?? 'code',
    registrantId: ledger.registrants.get(name)?.contactId,
    beginsWith:
      step.verb === 'register' || step.verb === 'transfer'
        ? modeOfNew(ledger.defaults[buyer.level] as Defaults)
        : undefined,
    years: step.years,
    withPrivacy: step.withPrivacy ?? false,
    isGuardShort: step.isGuardShort ?? false,
    via: step.via,
    key: `${name}-${script.seed}-${ledger.orders.length}`,
  });
  if (made === undefined) return;
  ledger.orders.push(made);
  pending.push(place(installation, made));
  // Usually the order is with the service when the next step comes, and sometimes not.
  await sleep(30);
}

/** `renewBy`: docs/guide/domain-states.md, five days before the end of the auto-renew grace. */
async function moveTo(play: Play, name: string, boundary: Boundary, offsetS: number): Promise<void> {
  const { installation, ledger } = play;
  const there = await readRegistered(installation, name);
  if (there === undefined) return;
  const request =
    boundary === 'verifyBy'
      ? verificationRequests(await ledger.events.read(installation, ledger), name).at(-1)
      : undefined;
  const grace = (kind: string) => there.graces.findLast((each) => each.kind === kind)?.endsAt;
  const date: Record<Boundary, string | null | undefined> = {
    add: grace('add'),
    renew: grace('renew'),
    autoRenew: grace('autoRenew'),
    expiry: there.expiresAt,
    renewBy: grace('autoRenew'),
    renewalDue: there.expiresAt,
    redemption: there.redemptionUntil,
    phase: there.phaseUntil,
    transfer: there.transferPending ? there.transfer?.actedAt : undefined,
    transferGrace: grace('transfer'),
    verifyBy: request?.payload.verify_by,
  };
  const found = date[boundary];
  if (!found) return;
  const daysBefore = boundary === 'renewBy' ? 5 : boundary === 'renewalDue' ? leadDaysOf(name) : 0;
  const target = Date.parse(found) - daysBefore * dayMs + offsetS * 1_000;
  return moveBy(play, target - (await installation.now()));
}

/** A day less than the registry holds an expired domain, if it renews nothing automatically. */
const holdMs = 4 * dayMs;

/**
 * Not past the end of a domain that expires with an open order: a removed domain cannot be queried, and then the operator decides
 * (docs/guide/operations.md). For a renewal the oracle does not simulate the operator.
 */
async function moveBy({ installation, ledger }: Play, byMs: number): Promise<void> {
  const now = await installation.now();
  let until = now + byMs;
  const open = ledger.orders.filter(({ finalAt, answer }) => finalAt === undefined && answer !== 'refused');
  const byMode = ledger.names.filter((name) => isToBeRenewed(ledger, name));
  for (const name of new Set([...open.map((each) => each.name), ...byMode])) {
    if (graceDaysOf(name).autoRenew > 0) continue;
    const there = await readRegistered(installation, name);
    if (there?.phase === 'active' || there?.phase === 'pendingCreate')
      until = Math.min(until, Date.parse(there.expiresAt) + holdMs);
  }
  if (until > now) await installation.move(until - now);
}
