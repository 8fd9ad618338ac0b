import type { Buyer } from './buyers.ts';
import { type Measured, measure } from './rate.ts';
import type { Stage } from './stage.ts';

const namesInCall = 50;
const inFlight = 2;

/** Fifty available names of two TLDs in one call; each call uses other names. */
export async function measureAvailability(stage: Stage, buyer: Buyer, calls: number): Promise<Measured> {
  const ask = async (call: number) => {
    const names = Array.from({ length: namesInCall }, (_, n) => `look-${call}-${n}.${n % 2 ? 'com' : 'net'}`);
    const query = `domain=${names.join(',')}`;
    const { status, body } = await stage.call(buyer.credentials, 'GET', `/v1/domains/availability?${query}`);
    if (status !== 200 || body.length !== namesInCall)
      throw new Error(`${status} ${JSON.stringify(body).slice(0, 300)}`);
    const unknown = (body as { status: string }[]).filter((row) => row.status !== 'available');
    if (unknown.length > 0) throw new Error(JSON.stringify(unknown[0]));
  };
  await measure(10, inFlight, ask);
  return measure(calls, inFlight, (call) => ask(call + 10));
}
