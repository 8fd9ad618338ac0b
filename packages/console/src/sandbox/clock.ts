import { signal } from '@preact/signals';
import { call } from '../api/call.ts';
import { type ApiError, asApiError } from '../api/error.ts';
import { momentText } from '../components/moment.tsx';
import { toast, toastError } from '../components/toast.tsx';
import { businessNow, setBusinessTime } from '../data/clock.ts';
import { invalidate } from '../data/resource.ts';
import { currentSession, may } from '../session/current-session.ts';
import { messages } from './messages.ts';

export const steps = ['+1d', '+7d', '+30d'] as const;

/** A clock move is in progress. */
export const isMoving = signal(false);

/** Whether the user can move the clock. */
export const canMove = (): boolean =>
  currentSession.value?.is_sandbox === true && currentSession.value.customer === undefined && may('domains:write');

/** Moves the clock for all users and refreshes all data. Returns the error, if any. */
export async function moveClock(by: string): Promise<ApiError | undefined> {
  if (isMoving.value) return undefined;
  const t = messages();
  isMoving.value = true;
  try {
    const { body } = await call('post', '/sandbox/clock', { body: { move: by } });
    setBusinessTime(body.now);
    await invalidate('/');
    toast(body.caught_up ? t.moved(momentText(new Date(body.now), true)) : t.catchingUp);
    return undefined;
  } catch (cause) {
    return asApiError(cause);
  } finally {
    isMoving.value = false;
  }
}

/** Moves the clock and shows an error as a toast. */
export async function pushClock(by: string): Promise<void> {
  const error = await moveClock(by);
  if (error) toastError(error);
}

/** Moves the clock one minute past a time, so that jobs due then will run. */
export const pushClockTo = (at: Date): Promise<void> =>
  pushClock(`+${Math.max(0, Math.ceil((at.getTime() - businessNow().getTime()) / 1_000)) + 60}s`);
