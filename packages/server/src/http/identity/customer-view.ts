import { Readable } from 'node:stream';
import { Refusal } from '../../core/errors.ts';
import { actingCustomerId } from '../../core/model/customer-access.ts';

/** Customers do not see registry texts, acting keys and notes of the reseller. The fields stay, but are empty. */
const hidden: Readonly<Record<string, unknown>> = { registry_status: [], rgp_status: [], key_id: null, comment: null };

/** Other actors of the account are not identified, neither staff nor keys. */
const serviceActor = { kind: 'service', id: null, name: null, key_id: null, request_id: null };

/** A response as this customer may see it, by one rule for all routes. */
export function forCustomer(body: unknown, customerId: string): unknown {
  if (Array.isArray(body)) return body.map((each) => forCustomer(each, customerId));
  if (body === null || typeof body !== 'object' || body instanceof Uint8Array || body instanceof Readable) return body;
  const shown = ([name, value]: [string, unknown]): [string, unknown] => {
    if (name === 'actor' && (value as { id?: unknown } | null)?.id !== actingCustomerId(customerId))
      return [name, serviceActor];
    return [name, name in hidden ? hidden[name] : forCustomer(value, customerId)];
  };
  return Object.fromEntries(Object.entries(body).map(shown));
}

/** A refusal as a customer may see it: without the registry's code, and without calls that the customer cannot make. */
export function refusalForCustomer(error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  const { help: _, facts, errors, ...details } = error.details;
  const { registry_code: _1, ...visible } = { ...facts };
  const fields = errors?.map(({ help: _2, ...field }) => field);
  Object.defineProperty(error, 'details', {
    value: { ...details, ...(facts ? { facts: visible } : {}), ...(fields ? { errors: fields } : {}) },
  });
  return error;
}
