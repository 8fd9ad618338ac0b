import type { IncomingMessage } from 'node:http';
import { PassThrough, Transform } from 'node:stream';
import { httpLimits } from '../limits.ts';

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
  return passedThrough(body, meter);
}

/** Passes a body on until it is ended from outside. */
export function endableBody(body: IncomingMessage): PassThrough {
  return passedThrough(body, new PassThrough());
}

function passedThrough<T extends Transform>(body: IncomingMessage, stream: T): T {
  // A parser that has refused the body no longer listens. An error without a listener would end the process.
  stream.on('error', () => undefined);
  body.once('error', (error) => stream.destroy(error));
  return body.pipe(stream);
}
