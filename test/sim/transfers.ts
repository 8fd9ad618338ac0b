import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../faults/world.ts';
import { nudge, read, readRegistered } from './facts.ts';
import { ownerOf } from './moves.ts';
import type { Order } from './order.ts';
import type { Play } from './player.ts';
import type { Step } from './script.ts';

export const rightCode = 'the-right-code-of-4711';
export const wrongCode = 'a-wrong-code-all-the-way';

/** The registrant at the other registrar has an auth code from there. */
export async function giveCode(installation: Installation, name: string): Promise<void> {
  const there = await readRegistered(installation, name);
  if (there?.sponsor === 'rival')
    await installation.control('POST', `/domains/${name}/tamper`, { auth_info: rightCode });
}

const tries = 30;
const pauseMs = 100;

/** The other registrar answers only after the request has arrived. */
export async function actAsOtherRegistrar({ installation }: Play, name: string, action: string): Promise<void> {
  for (let left = action === 'approve' || action === 'reject' ? tries : 1; left > 0; left--) {
    const { error } = await installation.control('POST', '/transfers', { name, action, auth_code: rightCode });
    if (error === undefined) break;
    await sleep(pauseMs);
  }
  // Documents of the other registrar's customers are reviewed too.
  if (action === 'register') await installation.control('POST', `/domains/${name}/review`, { decision: 'approve' });
}

/** docs/guide/transferring-out.md: a transfer needs the code and no theft protection. Without either it is not requested. */
export async function requestTransferAway(play: Play, step: Step & { do: 'ask-away' }): Promise<void> {
  const { installation, ledger } = play;
  const name = ledger.names[step.name] ?? '';
  const { caller } = ownerOf(play, step.name);
  const patient = { as: caller, headers: { Prefer: 'wait=20' }, timeoutMs: 30_000 };
  await installation.call('DELETE', `/v1/domains/${name}/theft_protection`, patient);
  const { status, body } = await installation.call('GET', `/v1/domains/${name}/auth_code`, patient);
  if (status !== 200 || typeof body !== 'string') return;
  const { error } = await installation.control('POST', '/transfers', { name, action: 'request', auth_code: body });
  if (error === undefined) ledger.asked.add(name);
}

const openTransfer = ({ ledger }: Play, name: string): Order | undefined =>
  ledger.orders.findLast((order) => order.verb === 'transfer' && order.name === name && order.answer !== 'refused');

/** The registry has a valid code by then. */
export async function newCode(play: Play, name: string, isWrong: boolean): Promise<void> {
  const order = openTransfer(play, name);
  if (order === undefined) return;
  await play.installation.call('PUT', `/v1/domains/${name}/transfer/auth_code`, {
    json: { auth_code: isWrong ? wrongCode : rightCode },
    as: order.buyer.caller,
    headers: { Prefer: 'respond-async' },
  });
}

export async function cancelTransfer(play: Play, name: string): Promise<void> {
  const order = openTransfer(play, name);
  if (order === undefined) return;
  await play.installation.call('POST', `/v1/domains/${name}/transfer/cancel`, {
    form: {},
    as: order.buyer.caller,
    headers: { Prefer: 'respond-async' },
  });
}

const dayMs = 86_400_000;
/** docs/guide/transferring-in.md: the order waits for another code for 14 days. */
const codeDays = 14;

/** The current registrar approves pending transfers. After a wrong code another is sent, the order is cancelled, or it is left. */
export async function decideTransfer(play: Play, operationId: string): Promise<void> {
  const { installation, ledger } = play;
  const order = ledger.orders.find((each) => each.operationId === operationId);
  if (order === undefined) return;
  const there = await readRegistered(installation, order.name);
  if (there?.transferPending) {
    await actAsOtherRegistrar(play, order.name, 'approve');
    return nudge(installation);
  }
  const { body } = await read(installation, `/v1/operations/${operationId}`, order.buyer.caller);
  const choices = (body.attention?.choices ?? []) as string[];
  if (!choices.includes('new_auth_code')) return;
  if (order.remedy === 'cancel') return cancelTransfer(play, order.name);
  if (order.remedy === 'expire' && !expired.has(operationId)) {
    expired.add(operationId);
    return installation.move(codeDays * dayMs + 60_000);
  }
  if (order.remedy === 'code') {
    await giveCode(installation, order.name);
    await newCode(play, order.name, false);
  }
}

const expired = new Set<string>();
