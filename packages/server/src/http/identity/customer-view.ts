import { Readable } from 'node:stream';
import { actingCustomerId } from '../../core/customers/access.ts';
import { Refusal } from '../../core/errors.ts';

/** What a registry says, which key did it and what the reseller noted is not a customer's to read; the places stay, empty. */
const hidden: Readonly<Record<string, unknown>> = { registry_status: [], rgp_status: [], key_id: null, comment: null };

/** Whoever else of the account did it is nobody in particular: neither staff nor keys are told. */
const serviceActor = { kind: 'service', id: null, name: null, key_id: null, request_id: null };

/** An answer as this customer gets it: whatever the route, by one rule. */
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

/** A refusal as a customer gets it: without the registry's code, and without calls that are not its own to make. */
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
