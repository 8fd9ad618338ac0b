import { type Buyer, registration } from './buyers.ts';
import { type Measured, measure } from './rate.ts';
import type { Stage } from './stage.ts';

const inFlight = 50;

/** HTTP in, EPP over TLS out, ledger, events: until the caller reads "Completed". */
export async function measureRegistrations(stage: Stage, buyers: readonly Buyer[], count: number): Promise<Measured> {
  const order = async (name: string, index: number) => {
    const buyer = buyers[index % buyers.length]!;
    const { status, body } = await stage.call(buyer.credentials, 'POST', '/v1/domains', {
      form: registration(buyer, name),
      headers: { 'Idempotency-Key': name },
    });
    if (status !== 200) throw new Error(`${name}: ${status} ${JSON.stringify(body)}`);
  };
  await measure(100, inFlight, (index) => order(`warm-${index}.com`, index));
  return measure(count, inFlight, (index) => order(`bench-${index}.com`, index));
}
