import type { Schema } from '../../src/api/shapes.ts';
import { currentSession } from '../../src/session/current-session.ts';
import { example } from './api.ts';

/** Another window has the lock of the event stream, so that nothing is streamed here. */
Object.defineProperty(navigator, 'locks', {
  value: { request: () => new Promise(() => undefined) },
  configurable: true,
});

/** A session of another user or account than the example. */
export const sessionOf = (personId: string, resellerId = '1000'): Schema<'Session'> => {
  const usual = example('Session');
  return {
    ...usual,
    person: { ...usual.person, person_id: personId, language: 'en' },
    account: { ...usual.account, reseller_id: resellerId },
  };
};

/** The present session, as the service would send it again. */
export const sameSession = (): Schema<'Session'> => structuredClone(currentSession.value!);
