import type { Config } from '../../config.ts';
import type { AppContext } from '../../core/app-context.ts';
import { deviceLimits, deviceText, type KnownDevice, readDevice } from '../../core/users/device.ts';
import type { Login } from '../../core/users/guessing.ts';
import { attributesOf, cookieName, cookiesOf } from './session-cookie.ts';

const livesSeconds = deviceLimits.livesDays * 86_400;

const nameOf = (config: Config) => `${cookieName(config)}-device`;

/** Identifies a known browser at its next sign-in. It grants no access, but separates its counter from wrong passwords of strangers. */
export const deviceCookie = (ctx: AppContext, device: KnownDevice | undefined, login: Login): string =>
  `${nameOf(ctx.config)}=${deviceText(ctx.vault, device, login, ctx.wall.now())}; Max-Age=${livesSeconds}; ${attributesOf(ctx.config)}`;

export const deviceOf = (ctx: AppContext, cookies: string | undefined): KnownDevice | undefined =>
  readDevice(ctx.vault, cookiesOf(cookies, nameOf(ctx.config))[0], ctx.wall.now());
