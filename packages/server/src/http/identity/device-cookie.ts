import type { Config } from '../../config.ts';
import type { House } from '../../core/house.ts';
import { deviceLimits, deviceText, type KnownDevice, readDevice } from '../../core/people/device.ts';
import type { Login } from '../../core/people/guessing.ts';
import { attributesOf, cookieName, cookiesOf } from './session-cookie.ts';

const livesSeconds = deviceLimits.livesDays * 86_400;

const nameOf = (config: Config) => `${cookieName(config)}-device`;

/** What a browser is known by at its next sign-in. It opens nothing: it only keeps strangers' wrong passwords from counting against it. */
export const deviceCookie = (house: House, device: KnownDevice | undefined, login: Login): string =>
  `${nameOf(house.config)}=${deviceText(house.vault, device, login, house.wall.now())}; Max-Age=${livesSeconds}; ${attributesOf(house.config)}`;

export const deviceOf = (house: House, cookies: string | undefined): KnownDevice | undefined =>
  readDevice(house.vault, cookiesOf(cookies, nameOf(house.config))[0], house.wall.now());
