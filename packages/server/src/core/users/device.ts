import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '@namehold/base';
import type { Login } from './guessing.ts';

export const deviceLimits = { idBytes: 16, logins: 5, mark: 16, proof: 32, livesDays: 180 };
const form = /^([\w-]{22})\.(\d{5,6})\.([\da-f]{16}(?:,[\da-f]{16}){0,4})\.([\da-f]{32})$/;
const dayOf = (at: Date) => Math.floor(at.getTime() / 86_400_000);

/** A known browser: identified by a signed cookie, which does not sign in. */
export interface KnownDevice {
  readonly id: string;
  /** The logins opened in it, the newest first; the ids do not identify the users. */
  readonly marks: readonly string[];
}

const proofOf = (vault: Vault, id: string, day: string, marks: string) =>
  vault.fingerprint(`device:${id}.${day}.${marks}`).slice(0, deviceLimits.proof);

const markOf = (vault: Vault, id: string, login: Login) =>
  vault.fingerprint(`device-login:${id}:${login}`).slice(0, deviceLimits.mark);

/** Undefined: there is none, it is too old, or it was not made here. A copied cookie outlives Max-Age, so the day is signed too. */
export function readDevice(vault: Vault, text: string | undefined, now: Date): KnownDevice | undefined {
  const [, id, day, marks, proof] = form.exec(text ?? '') ?? [];
  if (id === undefined || day === undefined || marks === undefined || proof === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(proofOf(vault, id, day, marks)), Buffer.from(proof))) return undefined;
  if (dayOf(now) - Number(day) > deviceLimits.livesDays) return undefined;
  return { id, marks: marks.split(',') };
}

/** Its id, if this login was opened in it before. */
export const knownFor = (vault: Vault, device: KnownDevice | undefined, login: Login): string | undefined =>
  device?.marks.includes(markOf(vault, device.id, login)) ? device.id : undefined;

/** The cookie value after a sign-in. */
export function deviceText(vault: Vault, device: KnownDevice | undefined, login: Login, now: Date): string {
  const id = device?.id ?? randomBytes(deviceLimits.idBytes).toString('base64url');
  const mark = markOf(vault, id, login);
  const marks = [mark, ...(device?.marks ?? []).filter((each) => each !== mark)].slice(0, deviceLimits.logins).join();
  const day = String(dayOf(now));
  return `${id}.${day}.${marks}.${proofOf(vault, id, day, marks)}`;
}
