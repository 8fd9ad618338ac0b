import type { Availability, RegistryFee } from '../../../../core/ports/registry.ts';
import type { Dialect, UpstreamClient } from '../../dialect.ts';
import { objectOf, textOf } from '../../fields.ts';

/** Prices of a check, and quotes where the check has none. */
export const prices: NonNullable<Dialect['prices']> = async (send, { status, entry }, name, fee) => {
  if (status === 'ours') return renewalFees(send, name);
  if (status !== 'available') return fee.isTransfer ? transferFee(send, name) : {};
  const premiumClass = textOf(entry.premium_class);
  const shown = fee.years === 1 ? feeOf(entry.price) : undefined;
  const createFee = shown ?? (await quoted(send, 'register', name, fee.years))?.fee;
  return { ...(premiumClass === undefined ? {} : { premiumClass }), ...(createFee ? { createFee } : {}) };
};

/** The renewal price of a domain that we hold there. */
async function renewalFees(send: UpstreamClient, name: string): Promise<Partial<Availability>> {
  const [renew, restore] = await Promise.all([quoted(send, 'renew', name, 1), quoted(send, 'restore', name, 1)]);
  const premiumClass = renew?.premiumClass ?? restore?.premiumClass;
  return {
    ...(renew ? { renewFee: renew.fee } : {}),
    ...(restore ? { restoreFee: restore.fee } : {}),
    ...(premiumClass === undefined ? {} : { premiumClass }),
  };
}

async function transferFee(send: UpstreamClient, name: string): Promise<Partial<Availability>> {
  const transfer = await quoted(send, 'transfer', name, 1);
  if (!transfer) return {};
  const { fee, premiumClass } = transfer;
  return { transferFee: fee, ...(premiumClass === undefined ? {} : { premiumClass }) };
}

function feeOf(value: unknown): RegistryFee | undefined {
  const money = objectOf(value);
  const [amount, currency] = [textOf(money?.amount), textOf(money?.currency)];
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

async function quoted(send: UpstreamClient, kind: string, name: string, years: number) {
  const form = { kind, domain_name: name, years: String(years) };
  const { reply } = await send({ method: 'POST', path: '/quotes', form });
  const quote = reply.kind === 'done' ? objectOf(reply.data) : undefined;
  const fee = feeOf(quote?.total);
  return fee && { fee, premiumClass: textOf(quote?.premium_class) };
}
