import {
  type EppCredentials,
  EppInputError,
  EppSession,
  EppUnsentError,
  LOGIN_STOP_CODES,
  systemClock,
  UNCERTAIN_CODES,
} from '@namehold/epp';
import { allTenants } from '@namehold/postgres';
import type { Actor, AppContext } from '../core/app-context.ts';
import { badField, notFound, Refusal } from '../core/errors.ts';
import { changePassword, type LogIn, type LoginEnd, settlePassword } from '../core/registries/password.ts';
import { findRegistry } from '../core/registries/registry.sql.ts';
import { databaseAccount } from './account.ts';
import { acquireWithin, databaseConnectionLeases } from './connection-leases.ts';
import { connectionSettings } from './connection-settings.ts';
import { newSecret } from './epp/secret.ts';
import type { Profile } from './read-profile.ts';
import { isUpstream } from './upstream/profile.ts';

/** RFC 5730 pwType; longer passwords need loginSec (RFC 8807). */
const plainLength = { min: 6, max: 16 };
const securedLength = { min: 6, max: 128, made: 40 };

/** `namehold registry password`: a given or a random password. */
export async function changeRegistryPassword(ctx: AppContext, actor: Actor, id: string, given?: string): Promise<void> {
  const row = await findRegistry(ctx.db.as(allTenants), id);
  if (!row) throw notFound(`registry ${id}`);
  if (isUpstream(row.profile))
    throw new Refusal('conflict', `${id} is an upstream registrar. Create another API key there and connect with it.`);
  const { profile } = connectionSettings(ctx, row);
  const password = given ?? madePassword(ctx, profile);
  requirePassword(profile, password);
  const slot = await acquireWithin(databaseConnectionLeases(ctx, id, `password-${ctx.engine.owner}`));
  if (!slot) throw new Refusal('unavailable', 'All sessions of the account are in use. Nothing was changed.');
  try {
    await changePassword(ctx, actor, id, password, logInOnce(ctx));
  } finally {
    await slot.release();
  }
}

function madePassword(ctx: AppContext, profile: Profile): string {
  const length = profile.alwaysLoginSec ? securedLength.made : plainLength.max;
  const rules = {
    authInfoLength: length,
    authInfoMinLength: length,
    authInfoMaxLength: length,
    authInfoClasses: ['lower', 'upper', 'digit', 'symbol'] as const,
  };
  return newSecret(rules, (size, alphabet) => ctx.ids.text(size, alphabet));
}

function requirePassword(profile: Profile, password: string): void {
  const { min, max } = profile.namespaces.loginSec ? securedLength : plainLength;
  if (password.length < min || password.length > max)
    throw badField('password', `Must have ${min} to ${max} characters at this registry.`);
  // xsd:token: other characters would be normalised and change the password.
  if (!/^[!-~]+( [!-~]+)*$/.test(password))
    throw badField('password', 'Must be printable ASCII characters, without spaces at either end or two in a row.');
}

/** The current password. An unfinished password change is settled first. */
export async function currentCredentials(ctx: AppContext, id: string): Promise<EppCredentials> {
  const end = (await hasUnsettled(ctx, id)) ? await settlePassword(ctx, id, logInOnce(ctx)) : undefined;
  if (end?.kind === 'neither') throw new EppUnsentError('login-refused', end.why, refusedCode);
  if (end?.kind === 'open' || end?.kind === 'unsent') throw new EppUnsentError('login-failed', end.why);
  const row = await findRegistry(ctx.db.as(allTenants), id);
  if (!row) throw new EppUnsentError('closed', `registry ${id} is not connected`);
  return connectionSettings(ctx, row).credentials;
}

const [refusedCode] = [...LOGIN_STOP_CODES];

async function hasUnsettled(ctx: AppContext, id: string): Promise<boolean> {
  const row = await findRegistry(ctx.db.as(allTenants), id);
  return row !== undefined && connectionSettings(ctx, row).isPasswordUnsettled;
}

function logInOnce(ctx: AppContext): LogIn {
  return async (row, { password, newPassword }) => {
    const { endpoint, profile, credentials } = connectionSettings(ctx, row);
    databaseAccount(ctx, row.id, profile.limits.commandsPerSecond).charge();
    try {
      const session = await EppSession.open({
        endpoint,
        profile,
        credentials: { ...credentials, pw: password, ...(newPassword === undefined ? {} : { newPW: newPassword }) },
        clock: systemClock,
        newClTRID: () => ctx.ids.next('nh').slice(0, 48),
        onEvent: () => undefined,
        onDead: () => undefined,
      });
      await session.logout();
      return { kind: 'accepted' };
    } catch (error) {
      return endOf(error);
    }
  };
}

function endOf(error: unknown): LoginEnd {
  if (error instanceof EppInputError) return { kind: 'refused', isWho: false, why: error.message };
  if (!(error instanceof EppUnsentError)) throw error;
  const { why, code, message } = error;
  if (why === 'login-refused') return { kind: 'refused', isWho: true, why: message };
  if (why === 'connect-failed' || why === 'greeting-failed') return { kind: 'unsent', why: message };
  if (why === 'login-failed' && code !== undefined && !UNCERTAIN_CODES.has(code))
    return { kind: 'refused', isWho: false, why: message };
  return { kind: 'open', why: message };
}
