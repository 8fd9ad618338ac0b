import { signal } from '@preact/signals';
import { call } from '../api/call.ts';
import { asTrouble, type Trouble } from '../api/trouble.ts';
import { businessNow, tellBusinessTime } from '../data/clock.ts';
import { changed } from '../data/resource.ts';
import { momentText } from '../parts/moment.tsx';
import { toast } from '../parts/toast.tsx';
import { may, who } from '../session/who.ts';
import { words } from './words.ts';

export const steps = ['+1d', '+7d', '+30d'] as const;

/** The clock is on its way; one move at a time. */
export const isMoving = signal(false);

/** Whether who works here can move time. */
export const canMove = (): boolean =>
  who.value?.is_sandbox === true && who.value.customer === undefined && may('domains:write');

/** Moves time for everybody, and asks again for everything that is shown. Answers with what stood in the way. */
export async function moveClock(by: string): Promise<Trouble | undefined> {
  if (isMoving.value) return undefined;
  const w = words();
  isMoving.value = true;
  try {
    const { body } = await call('post', '/sandbox/clock', { body: { move: by } });
    tellBusinessTime(body.now);
    await changed('/');
    toast(body.caught_up ? w.moved(momentText(new Date(body.now), true)) : w.catchingUp);
    return undefined;
  } catch (error) {
    return asTrouble(error);
  } finally {
    isMoving.value = false;
  }
}

/** The same by a button, which has no place for trouble. */
export async function pushClock(by: string): Promise<void> {
  const trouble = await moveClock(by);
  if (trouble) toast(trouble.message);
}

/** To a moment and a minute beyond it, so that what is due then is due. */
export const pushClockTo = (at: Date): Promise<void> =>
  pushClock(`+${Math.max(0, Math.ceil((at.getTime() - businessNow().getTime()) / 1_000)) + 60}s`);
