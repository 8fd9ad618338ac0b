import type { Availability, RegistryFee } from '../../../../core/ports/registry.ts';
import type { Dialect, UpstreamClient } from '../../dialect.ts';
import { objectOf, textOf } from '../../fields.ts';

/** Prices of a check, and quotes where the check has none. */
export const prices: NonNullable<Dialect['prices']> = async (ask, { status, entry }, name, fee) => {
  if (status === 'ours') return renewalFees(ask, name);
  if (status !== 'available') return fee.isTransfer ? transferFee(ask, name) : {};
  const premiumClass = textOf(entry.premium_class);
  const shown = fee.years === 1 ? feeOf(entry.price) : undefined;
  const createFee = shown ?? (await quoted(ask, 'register', name, fee.years))?.fee;
  return { ...(premiumClass === undefined ? {} : { premiumClass }), ...(createFee ? { createFee } : {}) };
};

/** The renewal price of a domain that we hold there. */
async function renewalFees(ask: UpstreamClient, name: string): Promise<Partial<Availability>> {
  const [renew, restore] = await Promise.all([quoted(ask, 'renew', name, 1), quoted(ask, 'restore', name, 1)]);
  const premiumClass = renew?.premiumClass ?? restore?.premiumClass;
  return {
    ...(renew ? { renewFee: renew.fee } : {}),
    ...(restore ? { restoreFee: restore.fee } : {}),
    ...(premiumClass === undefined ? {} : { premiumClass }),
  };
}

async function transferFee(ask: UpstreamClient, name: string): Promise<Partial<Availability>> {
  const transfer = await quoted(ask, 'transfer', name, 1);
  if (!transfer) return {};
  const { fee, premiumClass } = transfer;
  return { transferFee: fee, ...(premiumClass === undefined ? {} : { premiumClass }) };
}

function feeOf(value: unknown): RegistryFee | undefined {
  const money = objectOf(value);
  const [amount, currency] = [textOf(money?.amount), textOf(money?.currency)];
  return amount === undefined || currency === undefined ? undefined : { amount, currency };
}

async function quoted(ask: UpstreamClient, kind: string, name: string, years: number) {
  const form = { kind, domain_name: name, years: String(years) };
  const { reply } = await ask({ method: 'POST', path: '/quotes', form });
  const quote = reply.kind === 'done' ? objectOf(reply.data) : undefined;
  const fee = feeOf(quote?.total);
  return fee && { fee, premiumClass: textOf(quote?.premium_class) };
}
