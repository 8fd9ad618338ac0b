import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { httpLimits } from './limits.ts';

/** Charges more bytes to the budgets of a sender, or throws the refusal. */
export type Grow = (bytes: number) => void;

/** Passes a body on and charges bytes as they arrive. An announced length alone costs nothing. */
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
