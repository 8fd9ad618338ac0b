import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { httpLimits } from './limits.ts';

/** Takes so many bytes more of the budgets of a sender, or throws the refusal. */
export type Grow = (bytes: number) => void;

/** Passes a body on and takes room for it as it arrives: what was only announced takes none. */
export function meteredBody(body: IncomingMessage, reserved: number, grow: Grow): Transform {
  let received = 0;
  let taken = reserved;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > taken) {
        const more = Math.max(received - taken, httpLimits.bodyGrowthBytes);
        try {
          grow(more);
        } catch (error) {
          done(error as Error);
          return;
        }
        taken += more;
      }
      done(null, chunk);
    },
  });
  body.once('error', (error) => meter.destroy(error));
  return body.pipe(meter);
}
