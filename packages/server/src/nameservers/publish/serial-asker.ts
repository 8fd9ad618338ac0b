import type { SerialAsked } from '../../core/zones/publish/serial-asked.ts';
import { Asker } from './asker.ts';
import { lookAt } from './look.ts';

const ANSWER_TIMEOUT_MS = 2_000;

/** For questions that a person waits for; its socket is opened with the first one. */
export function serialAsker(from: string): SerialAsked {
  const asker = new Asker(from);
  return async (nameserver, zone) => {
    const look = await lookAt(asker, nameserver, zone, ANSWER_TIMEOUT_MS);
    if (look.state === 'serial') return { serial: look.serial };
    return { error: look.state === 'refused' ? look.reason : 'no answer' };
  };
}
