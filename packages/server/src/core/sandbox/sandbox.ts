import { dayMs, parseDurationMs } from '@namehold/base';
import type { Actor, AppContext } from '../app-context.ts';
import { findLiveName } from '../domains/compare/import.sql.ts';
import { requireDomain } from '../domains/find.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import type { OtherRegistrarResult, SandboxFault, SandboxName, SandboxPort } from '../ports/sandbox.ts';

export const otherRegistrarActions = ['register', 'request', 'cancel', 'approve', 'reject'] as const;
type OtherRegistrarActionName = (typeof otherRegistrarActions)[number];

const sandboxLimits = { moveMs: 4_000 * dayMs };

function portOf(ctx: AppContext): SandboxPort {
  if (!ctx.sandbox) throw new Refusal('unavailable', 'The sandbox registry of this installation is not running.');
  return ctx.sandbox;
}

/** Forward only: past events stay. Returns the new time, and whether everything due has been done. */
export async function moveTime(
  ctx: AppContext,
  by: string,
  timeoutMs: number,
): Promise<{ readonly now: Date; readonly isCaughtUp: boolean }> {
  const byMs = parseDurationMs(by);
  if (byMs === undefined || byMs < 0) throw badField('move', 'Must be like +30d, +12h, +45m or +10s.');
  if (byMs > sandboxLimits.moveMs) throw badField('move', 'Must be at most 4000 days at once.');
  const { isCaughtUp } = await portOf(ctx).moveClock(byMs, timeoutMs);
  return { now: ctx.clock.now(), isCaughtUp };
}

export const readFaults = (ctx: AppContext): Promise<readonly SandboxFault[]> => portOf(ctx).faults.list();
export const switchFault = (ctx: AppContext, fault: object): Promise<readonly SandboxFault[]> =>
  portOf(ctx).faults.set(fault);
export const endFaults = (ctx: AppContext): Promise<readonly SandboxFault[]> => portOf(ctx).faults.clear();

/** The registry's own state of a caller's domain, independent of our database. */
export async function readSandboxRegistry(
  ctx: AppContext,
  actor: Actor,
  requested: string,
): Promise<SandboxName & { readonly name: string }> {
  const port = portOf(ctx);
  const { name } = await requireDomain(ctx, actor, requested);
  const found = await port.readDomain(name);
  if (!found) throw notFound('domain');
  return { name, ...found };
}

/** Only about domains of the caller; the other registrar cannot register arbitrary names. */
export async function actAsOtherRegistrar(
  ctx: AppContext,
  actor: Actor,
  act: {
    readonly domainName: string;
    readonly action: OtherRegistrarActionName;
    readonly authCode: string | undefined;
  },
): Promise<OtherRegistrarResult & { readonly name: string }> {
  const port = portOf(ctx);
  const name =
    act.action === 'register' ? await freeName(ctx, actor, act.domainName) : await ownName(ctx, actor, act.domainName);
  if (act.authCode === undefined && (act.action === 'register' || act.action === 'request'))
    throw badField('authCode', `This field is required to ${act.action}.`, 'required');
  return { name, ...(await port.actAsOtherRegistrar({ name, action: act.action, authCode: act.authCode })) };
}

async function ownName(ctx: AppContext, actor: Actor, requested: string): Promise<string> {
  const unknown = badField('domainName', 'This is not a domain of yours.', 'not_found');
  if (!requested.includes('.')) throw unknown;
  try {
    return (await requireDomain(ctx, actor, requested)).name;
  } catch (error) {
    throw error instanceof Refusal && error.code === 'not_found' ? unknown : error;
  }
}

/** The same message as for a name that is taken anywhere. */
async function freeName(ctx: AppContext, actor: Actor, requested: string): Promise<string> {
  const name = requested.trim().toLowerCase();
  if (await findLiveName(ctx.db.as(actor.resellerId), name)) throw new Refusal('domain_not_available');
  return name;
}
