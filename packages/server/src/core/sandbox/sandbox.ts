import { dayMs, parseDurationMs } from '@namehold/base';
import { findLiveName } from '../domains/compare/import.sql.ts';
import { requireDomain } from '../domains/find.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import type { Actor, House, RivalActed, SandboxFault, SandboxName, SandboxPort } from '../house.ts';

export const rivalActions = ['register', 'request', 'cancel', 'approve', 'reject'] as const;
export type RivalAction = (typeof rivalActions)[number];

const sandboxLimits = { moveMs: 4_000 * dayMs };

function portOf(house: House): SandboxPort {
  if (!house.sandbox) throw new Refusal('unavailable', 'The sandbox registry of this installation is not running.');
  return house.sandbox;
}

/** Forward only: what has happened stays. Answers with what time it is then, and whether everything due has been done. */
export async function moveTime(
  house: House,
  by: string,
  patienceMs: number,
): Promise<{ readonly now: Date; readonly isCaughtUp: boolean }> {
  const byMs = parseDurationMs(by);
  if (byMs === undefined || byMs < 0) throw badField('move', 'Must be like +30d, +12h, +45m or +10s.');
  if (byMs > sandboxLimits.moveMs) throw badField('move', 'Must be at most 4000 days at once.');
  const { isCaughtUp } = await portOf(house).moveClock(byMs, patienceMs);
  return { now: house.clock.now(), isCaughtUp };
}

export const readFaults = (house: House): Promise<readonly SandboxFault[]> => portOf(house).dial.list();
export const turnFault = (house: House, fault: object): Promise<readonly SandboxFault[]> =>
  portOf(house).dial.turn(fault);
export const endFaults = (house: House): Promise<readonly SandboxFault[]> => portOf(house).dial.clear();

/** The registry's own view of a name of the caller's, past everything that the platform believes of it. */
export async function lookAtRegistry(
  house: House,
  actor: Actor,
  asked: string,
): Promise<SandboxName & { readonly name: string }> {
  const port = portOf(house);
  const { name } = await requireDomain(house, actor, asked);
  const found = await port.lookAt(name);
  if (!found) throw notFound('domain');
  return { name, ...found };
}

/** Only about names of the caller's own; what the rival registers must be nobody's here. */
export async function actAsRival(
  house: House,
  actor: Actor,
  act: { readonly domainName: string; readonly action: RivalAction; readonly authCode: string | undefined },
): Promise<RivalActed & { readonly name: string }> {
  const port = portOf(house);
  const name =
    act.action === 'register'
      ? await freeName(house, actor, act.domainName)
      : await ownName(house, actor, act.domainName);
  if (act.authCode === undefined && (act.action === 'register' || act.action === 'request'))
    throw badField('authCode', `This field is required to ${act.action}.`, 'required');
  return { name, ...(await port.actAsRival({ name, action: act.action, authCode: act.authCode })) };
}

async function ownName(house: House, actor: Actor, asked: string): Promise<string> {
  const unknown = badField('domainName', 'This is not a domain of yours.', 'not_found');
  if (!asked.includes('.')) throw unknown;
  try {
    return (await requireDomain(house, actor, asked)).name;
  } catch (error) {
    throw error instanceof Refusal && error.code === 'not_found' ? unknown : error;
  }
}

/** The same words as for a name that is taken anywhere. */
async function freeName(house: House, actor: Actor, asked: string): Promise<string> {
  const name = asked.trim().toLowerCase();
  if (await findLiveName(house.db.as(actor.resellerId), name)) throw new Refusal('domain_not_available');
  return name;
}
