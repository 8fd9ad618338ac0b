import { setTimeout as sleep } from 'node:timers/promises';
import { allTenants, type Tx } from '@namehold/postgres';
import { systemActor } from '../actors.ts';
import type { Actor, AppContext } from '../app-context.ts';
import { audit } from '../audit/audit.ts';
import { badField, notFound, Refusal } from '../errors.ts';
import { withJobLease } from '../jobs/with-job-lease.ts';
import { shortenPause } from './rate-limit.sql.ts';
import {
  clearPasswordExpiry,
  encryptionContext,
  findRegistry,
  lockRegistry,
  type RegistryRow,
  type RegistrySecrets,
  saveSecrets,
} from './registry.sql.ts';

const passwordLimits = { claimMs: 60_000, checkMs: 200 };

/** The outcome of one login. */
export type LoginEnd =
  | { readonly kind: 'accepted' }
  /**
   * `isWho`: the password or the account was refused. Otherwise the registry refuses something else in the login, such as the new
   * password.
   */
  | { readonly kind: 'refused'; readonly isWho: boolean; readonly why: string }
  /** No byte of it was sent. */
  | { readonly kind: 'unsent'; readonly why: string }
  /** No answer, or an unclear one: a new password may be valid or not. */
  | { readonly kind: 'open'; readonly why: string };

/** Logs in and out again, on a session of the account that the caller has a lease for. */
export type LogIn = (
  row: RegistryRow,
  as: { readonly password: string; readonly newPassword?: string },
) => Promise<LoginEnd>;

type NotAccepted = Exclude<LoginEnd, { kind: 'accepted' }>;
type PasswordEnd =
  | { readonly kind: 'changed' }
  /** Neither the new password nor the previous one is accepted. */
  | { readonly kind: 'neither'; readonly why: string }
  | NotAccepted;

const open = (ctx: Pick<AppContext, 'vault'>, row: RegistryRow): RegistrySecrets =>
  JSON.parse(ctx.vault.open(row.secrets_sealed, encryptionContext(row.id))) as RegistrySecrets;

/**
 * A new password is sent with a login, after it was stored: a crash in between leaves both, and the next login of any process finds out
 * which one is valid. One change at a time, over all processes.
 */
export async function changePassword(
  ctx: AppContext,
  actor: Actor,
  id: string,
  password: string,
  logIn: LogIn,
): Promise<void> {
  const end = await withPasswordLease(ctx, id, async () => {
    const left = await settle(ctx, id, logIn);
    // Refused: the new password is discarded.
    if (left && left.kind !== 'changed' && left.kind !== 'refused') return left;
    ctx.failpoint('password:before-stored');
    await begin(ctx, actor, id, password);
    ctx.failpoint('password:stored');
    const first = await carryOut(ctx, actor, id, logIn, false);
    return first.kind === 'open' ? carryOut(ctx, actor, id, logIn, true) : first;
  });
  if (end.kind === 'neither')
    throw new Refusal(
      'registry_refused',
      `The registry accepts neither the new nor the previous password. Set the valid one with registry add: ${end.why}`,
    );
  if (end.kind === 'refused')
    throw new Refusal('registry_refused', `The registry refused the change. The password is unchanged: ${end.why}`);
  if (end.kind === 'unsent')
    throw new Refusal('registry_unavailable', `The registry cannot be reached. Nothing was changed: ${end.why}`);
  if (end.kind === 'open')
    throw new Refusal(
      'registry_unavailable',
      `The registry did not answer. Both passwords are kept, and the next login determines which one is valid: ${end.why}`,
    );
}

/** Before a login: completes an unfinished change. Undefined: there was none. */
export async function settlePassword(ctx: AppContext, id: string, logIn: LogIn): Promise<PasswordEnd | undefined> {
  return withPasswordLease(ctx, id, () => settle(ctx, id, logIn));
}

async function settle(ctx: AppContext, id: string, logIn: LogIn): Promise<PasswordEnd | undefined> {
  const row = await findRegistry(ctx.db.as(allTenants), id);
  if (!row) throw notFound(`registry ${id}`);
  return open(ctx, row).new_password === undefined ? undefined : carryOut(ctx, systemActor, id, logIn, true);
}

/** A lease owner per attempt: two attempts in one process are two. */
async function withPasswordLease<T>(ctx: AppContext, id: string, work: () => Promise<T>): Promise<T> {
  const owner = ctx.ids.next('pw');
  const giveUpAt = performance.now() + passwordLimits.claimMs;
  for (;;) {
    let result: { readonly of: T } | undefined;
    const had = await withJobLease(
      ctx,
      `registry-password:${id}`,
      async () => {
        result = { of: await work() };
      },
      owner,
    );
    if (had) return result!.of;
    if (performance.now() > giveUpAt)
      throw new Refusal('unavailable', `The password of registry ${id} is being changed by another process.`);
    await sleep(passwordLimits.checkMs);
  }
}

async function begin(ctx: AppContext, actor: Actor, id: string, password: string): Promise<void> {
  await change(ctx, id, async (tx, secrets) => {
    if (secrets.password === password) throw badField('password', 'This password is already in use.');
    await audited(ctx, tx, actor, id, 'begun');
    return { ...secrets, new_password: password };
  });
}

/**
 * `mayHaveLeft`: the new password may be valid already, so it is tried first. Otherwise the change is sent once more: a delayed first
 * one then has an invalid password.
 */
async function carryOut(
  ctx: AppContext,
  actor: Actor,
  id: string,
  logIn: LogIn,
  mayHaveLeft: boolean,
): Promise<PasswordEnd> {
  const row = (await findRegistry(ctx.db.as(allTenants), id))!;
  const { password, new_password } = open(ctx, row);
  if (new_password === undefined)
    return { kind: 'refused', isWho: false, why: 'its settings were changed in the meantime' };
  if (mayHaveLeft) {
    const tried = await logIn(row, { password: new_password });
    if (tried.kind === 'accepted') return keep(ctx, actor, id, new_password);
    if (tried.kind !== 'refused' || !tried.isWho) return { kind: 'open', why: tried.why };
  }
  const end = await logIn(row, { password, newPassword: new_password });
  ctx.failpoint('password:answered');
  if (end.kind === 'accepted') return keep(ctx, actor, id, new_password);
  if (mayHaveLeft && end.kind === 'refused' && end.isWho) return { kind: 'neither', why: end.why };
  if (mayHaveLeft && end.kind === 'unsent') return { kind: 'open', why: end.why };
  if (end.kind !== 'open') await drop(ctx, actor, id, new_password);
  return end;
}

async function keep(ctx: AppContext, actor: Actor, id: string, kept: string): Promise<PasswordEnd> {
  await change(ctx, id, async (tx, { new_password, ...secrets }) => {
    // Changed manually in the meantime: that counts.
    if (new_password !== kept) return undefined;
    await clearPasswordExpiry(tx, id);
    await shortenPause(tx, id);
    await audited(ctx, tx, actor, id, 'changed');
    return { ...secrets, password: kept };
  });
  ctx.failpoint('password:kept');
  return { kind: 'changed' };
}

async function drop(ctx: AppContext, actor: Actor, id: string, dropped: string): Promise<void> {
  await change(ctx, id, async (tx, { new_password, ...secrets }) => {
    if (new_password !== dropped) return undefined;
    await audited(ctx, tx, actor, id, 'refused');
    return secrets;
  });
}

async function change(
  ctx: AppContext,
  id: string,
  make: (tx: Tx, secrets: RegistrySecrets) => Promise<RegistrySecrets | undefined>,
): Promise<void> {
  await ctx.db.transaction(allTenants, async (tx) => {
    const row = await lockRegistry(tx, id);
    if (!row) throw notFound(`registry ${id}`);
    const secrets = await make(tx, open(ctx, row));
    if (secrets) await saveSecrets(tx, id, ctx.vault.encrypt(JSON.stringify(secrets), encryptionContext(id)));
  });
}

const audited = (ctx: AppContext, tx: Tx, actor: Actor, id: string, change: string): Promise<void> =>
  audit(ctx, tx, actor, {
    action: 'registry.password',
    objectType: 'registry',
    objectId: id,
    after: { change },
  });
