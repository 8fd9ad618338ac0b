import { call } from '../api/call.ts';
import { invalidate } from '../data/resource.ts';
import { currentSession } from '../session/current-session.ts';

/** Changing a factor ends other sessions and can lift the 2FA requirement. */
export async function factorsChanged(): Promise<void> {
  await invalidate('/me');
  currentSession.value = (await call('get', '/session', {})).body;
}
