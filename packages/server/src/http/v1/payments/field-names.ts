import { badField, Refusal } from '../../../core/errors.ts';

const wire: Readonly<Record<string, string>> = {
  customerId: 'customer_id',
  payerId: 'reseller_id',
  billIds: 'transaction_id',
};

/** Replaces field names of the core by those of the API. */
export async function withWireNames<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const bad = error instanceof Refusal ? error.details.errors?.[0] : undefined;
    const name = bad && wire[bad.field];
    throw bad && name ? badField(name, bad.message, bad.code) : error;
  }
}
