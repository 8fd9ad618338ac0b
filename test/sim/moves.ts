import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../faults/world.ts';
import { read } from './facts.ts';
import { type Defaults, modeOfNew } from './modes.ts';
import { isAnswer } from './order.ts';
import type { Play } from './player.ts';
import type { Trader } from './resellers.ts';
import type { Ending, Mode, Step } from './script.ts';

/** A domain that one reseller offers to another (docs/guide/moving-domains.md). */
export interface Move {
  readonly name: string;
  readonly from: Trader;
  readonly to: Trader;
  readonly ending: Ending;
  readonly key: string;
  readonly form: Record<string, string>;
  /** The renewal mode of the domain at the new reseller. */
  readonly beginsWith: Mode;
  answer: 'none' | 'accepted' | 'refused';
  moveId?: string;
  state?: string;
  isAccepted: boolean;
  /** How often the acceptance was refused. */
  hindered: number;
}

export const ownerOf = ({ ledger, script }: Play, place: number): Trader =>
  ledger.owners.get(ledger.names[place] ?? '') ?? (ledger.chain[script.buyers?.[place] ?? 0] as Trader);

/** While no order is open. If theft protection cannot be removed, the offer is refused at once. */
export async function offer(play: Play, step: Step & { do: 'offer' }): Promise<void> {
  const { installation, ledger, script } = play;
  const name = ledger.names[step.name] ?? '';
  const from = ownerOf(play, step.name);
  const to = ledger.chain[step.to] as Trader;
  if (to === from) return;
  const patient = { as: from.caller, headers: { Prefer: 'wait=20' }, timeoutMs: 30_000 };
  await installation.call('DELETE', `/v1/domains/${name}/theft_protection`, patient);
  const { status, body } = await installation.call('GET', `/v1/domains/${name}`, { as: from.caller });
  if (status !== 200) return;
  const move: Move = {
    name,
    from,
    to,
    ending: step.ending,
    key: `offer-${name}-${script.seed}-${ledger.moves.length}`,
    form: {
      existing_customer_id: String(body.customer_id),
      new_reseller_id: to.resellerId,
      new_customer_id: to.customerId,
      default_contacts: step.contacts,
    },
    beginsWith: modeOfNew(ledger.defaults[to.level] as Defaults),
    answer: 'none',
    isAccepted: false,
    hindered: 0,
  };
  ledger.moves.push(move);
  await sendOffer(installation, move);
}

async function sendOffer(installation: Installation, move: Move): Promise<void> {
  const called = await installation.call('POST', `/v1/domains/${move.name}/move`, {
    form: move.form,
    as: move.from.caller,
    headers: { 'Idempotency-Key': move.key },
  });
  if (!isAnswer(called)) return;
  move.answer = called.status < 300 ? 'accepted' : 'refused';
  if (move.answer === 'accepted') move.moveId = called.body.operation_id as string;
}

const isOpen = ({ moveId, state }: Move): boolean => moveId !== undefined && state === undefined;

/** The drawn decision is sent now; no response is simulated by moving the clock while no order is open. */
export async function answerOffer({ installation, ledger }: Play, name: string): Promise<void> {
  const move = ledger.moves.findLast((each) => each.name === name && isOpen(each));
  if (move !== undefined && move.ending !== 'expire') await answer(installation, move, move.ending);
}

async function answer(installation: Installation, move: Move, ending: Exclude<Ending, 'expire'>): Promise<void> {
  const by = ending === 'withdraw' ? move.from : move.to;
  const verb = ending === 'accept' ? 'accept' : 'decline';
  if (verb === 'accept') move.isAccepted = true;
  const called = await installation.call('POST', `/v1/moves/${move.moveId}/${verb}`, {
    json: {},
    as: by.caller,
    headers: { 'Idempotency-Key': `${verb}-${move.key}-${move.hindered}` },
    timeoutMs: 20_000,
  });
  if (called.status === 409) move.hindered += 1;
}

const finalStates = new Set(['done', 'declined', 'lapsed', 'refused', 'cancelled']);
/** Then the offering reseller withdraws: a lock that was set meanwhile prevents the move. */
const hinderedAtMost = 10;
const dayMs = 86_400_000;

/** Ends all offers. True if none is open. */
export async function endOffers({ installation, ledger }: Play): Promise<boolean> {
  for (const move of ledger.moves) if (move.answer === 'none') await sendOffer(installation, move);
  for (const move of ledger.moves.filter(isOpen)) {
    const { status, body } = await read(installation, `/v1/moves/${move.moveId}`, move.from.caller);
    if (status !== 200) continue;
    if (finalStates.has(body.state)) {
      move.state = body.state as string;
      if (move.state === 'done') ledger.owners.set(move.name, move.to);
    } else if (body.state === 'offered' && move.ending === 'expire') {
      const leftMs = Date.parse(body.until) - (await installation.now());
      // An offer expires within days: a later date does not count, and after its end the clock is not moved back.
      if (leftMs > -60_000) await installation.move(Math.min(leftMs + 60_000, 30 * dayMs));
      await sleep(1_000);
    } else if (body.state === 'offered') {
      await answer(
        installation,
        move,
        move.hindered > hinderedAtMost ? 'withdraw' : (move.ending as Exclude<Ending, 'expire'>),
      );
    }
  }
  return !ledger.moves.some((move) => move.answer === 'none' || isOpen(move));
}
