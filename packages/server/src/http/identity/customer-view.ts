/** What a registry says, which key did it and what the reseller noted is not a customer's to read; the places stay, empty. */
const hidden: Readonly<Record<string, unknown>> = { registry_status: [], rgp_status: [], key_id: null, comment: null };

/** An answer as a customer gets it: whatever the route, by one rule. */
export function forCustomer(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(forCustomer);
  if (body === null || typeof body !== 'object' || body instanceof Uint8Array) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, name in hidden ? hidden[name] : forCustomer(value)]),
  );
}
