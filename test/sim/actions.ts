import { registration, type Trader } from '../faults/traders.ts';
import type { Called } from '../support/service.ts';
import { agree } from './check.ts';
import type { Model, ModelName } from './model.ts';
import type { World } from './world.ts';

/** What a reseller does, and what the model says must come of it. Every one ends with the operation settled. */
export interface Actor {
  readonly world: World;
  readonly model: Model;
  readonly log: (sentence: string) => void;
}

const wait = { Prefer: 'wait=20' };

/** 200, or 202 and carried to its end. Faults may delay, never change what comes of it. */
async function ended({ world }: Actor, what: string, called: Called): Promise<void> {
  if (called.status !== 200 && called.status !== 202)
    agree(`answer to ${what}`, `${called.status} ${called.text}`, '200');
  await world.settle();
  const { body } = await world.t.call('GET', `/v1/operations/${called.body.operation_id}`, {
    as: called.body.as as string,
  });
  if (body.state !== 'done') agree(`end of ${what}`, body, 'done');
}

function refused(what: string, called: Called, status: number, code?: string): void {
  agree(`refusal of ${what}`, called.status, status);
  if (code) agree(`reason for refusing ${what}`, called.body.code, code);
}

async function send(
  actor: Actor,
  trader: Trader,
  method: string,
  path: string,
  form?: Record<string, string>,
): Promise<Called> {
  const called = await actor.world.t.call(method, path, {
    headers: wait,
    as: trader.credentials,
    ...(form ? { form } : {}),
  });
  if (called.body) called.body.as = trader.credentials;
  return called;
}

export async function register(actor: Actor, trader: Trader, n: ModelName, years: number): Promise<void> {
  const { world, model } = actor;
  const what = `register ${n.name} for ${years} by ${trader.resellerId}`;
  actor.log(what);
  const levels = await world.price(trader, n.tld, [{ action: 'create', years }]);
  const called = await send(actor, trader, 'POST', '/v1/domains', registration(trader, n.name, years));
  if (n.state !== 'free') return refused(what, called, 400, 'domain_not_available');
  if (!model.canPay(levels)) return refused(what, called, 402, 'insufficient_funds');
  await ended(actor, what, called);
  model.register(n, trader, years, levels, world.now());
}

/** Two want one free name at the same instant: one gets it. */
export async function race(actor: Actor, one: Trader, two: Trader, n: ModelName): Promise<void> {
  const { world, model } = actor;
  const what = `race for ${n.name} of ${one.resellerId} and ${two.resellerId}`;
  actor.log(what);
  const contenders = await Promise.all(
    [one, two].map(async (trader) => ({
      trader,
      levels: await world.price(trader, n.tld, [{ action: 'create' as const, years: 1 }]),
      called: await send(actor, trader, 'POST', '/v1/domains', registration(trader, n.name)),
    })),
  );
  const able = contenders.filter(({ levels }) => model.canPay(levels));
  const won = contenders.filter(({ called }) => called.status < 300);
  agree(`winners of ${what}`, won.length, able.length > 0 ? 1 : 0);
  for (const { trader, levels, called } of won) {
    await ended(actor, what, called);
    model.register(n, trader, 1, levels, world.now());
  }
}

export async function renew(actor: Actor, trader: Trader, n: ModelName, years: number): Promise<void> {
  const { world, model } = actor;
  const what = `renew ${n.name} by ${years}`;
  actor.log(what);
  const levels = await world.price(trader, n.tld, [{ action: 'renew', years }]);
  const current_date = new Date(n.paidUntil).toISOString().slice(0, 10);
  const form = { years: String(years), current_date, invoice_option: 'no_invoice' };
  const called = await send(actor, trader, 'POST', `/v1/domains/${n.name}/renew`, form);
  if (n.state === 'free' || n.owner !== trader) {
    if (called.status !== 404 && called.status !== 409) agree(`refusal of ${what}`, called.status, '404 or 409');
    return;
  }
  if (n.state !== 'live') return refused(what, called, 409, 'conflict');
  if (!model.canRenew(n, years, world.now())) return refused(what, called, 400);
  if (!model.canPay(levels)) return refused(what, called, 402, 'insufficient_funds');
  await ended(actor, what, called);
  model.renew(n, years, levels, world.now());
  // The same call again must not renew twice: its date is no longer the expiry.
  const again = await send(actor, trader, 'POST', `/v1/domains/${n.name}/renew`, form);
  if (model.canRenew(n, years, world.now())) refused(`${what} again`, again, 400, 'already_renewed');
}

export async function remove(actor: Actor, trader: Trader, n: ModelName): Promise<void> {
  const { world, model } = actor;
  const what = `delete ${n.name}`;
  actor.log(what);
  const called = await send(actor, trader, 'DELETE', `/v1/domains/${n.name}`);
  if (n.state !== 'live' || n.owner !== trader) {
    if (called.status !== 404 && called.status !== 409) agree(`refusal of ${what}`, called.status, '404 or 409');
    return;
  }
  await ended(actor, what, called);
  model.remove(n, world.now());
}

export async function restore(actor: Actor, trader: Trader, n: ModelName): Promise<void> {
  const { world, model } = actor;
  const what = `restore ${n.name}`;
  actor.log(what);
  const renews = n.state === 'redemption' && model.restoreRenews(n, world.now());
  const things = [
    { action: 'restore' as const, years: 1 },
    ...(renews ? [{ action: 'renew' as const, years: 1 }] : []),
  ];
  const levels = await world.price(trader, n.tld, things);
  const called = await send(actor, trader, 'POST', `/v1/domains/${n.name}/restore`, { invoice_option: 'no_invoice' });
  if (n.state !== 'redemption' || n.owner !== trader) {
    if (called.status !== 404 && called.status !== 409) agree(`refusal of ${what}`, called.status, '404 or 409');
    return;
  }
  if (!model.canPay(levels)) return refused(what, called, 402, 'insufficient_funds');
  await ended(actor, what, called);
  model.restore(n, levels, world.now());
}
