import { feeMoney } from '../../model/fee-money.ts';
import type { RegistryFee } from '../../ports/registry.ts';
import { enterDomain } from '../enter.sql.ts';
import { type CheckedRegistration, checkRegistration, type Parties } from './check-order.ts';
import { declareOnContact } from './declaration.ts';
import type { Purchase, PurchaseOrder } from './purchase.ts';
import { registerWorkflow } from './register-workflow.ts';
import { type GivenRegistration, registrationSecrets } from './registration-data.ts';

interface RegistrationOrder extends PurchaseOrder {
  readonly domainName: string;
  readonly years: number;
  readonly privacy: boolean;
  /** Undefined: the default of the customer or account. */
  readonly renewalMode?: 'manual' | undefined;
  /** The customer, contacts and nameservers of the domain; null if only its price is requested. */
  readonly parties: Parties | null;
  /** Additional data that the TLD requires. */
  readonly registration?: GivenRegistration | undefined;
}

/** Registration of a domain that is not registered. */
export const register: Purchase<'register', RegistrationOrder, CheckedRegistration> = {
  requested: ({ domainName, years, privacy }) => ({ domainName, years, privacy, parties: null, guard: {} }),
  check: checkRegistration,
  async checkLocked(ctx, tx, actor, _order, checked) {
    await declareOnContact(ctx, tx, actor, checked.declares, checked.parties);
    return checked;
  },
  price({ years, privacy }, { name, tld, registryId, premium, parties }) {
    const customerId = parties?.customerId;
    const order = { kind: 'register', domainName: name, tld, registryId, customerId, years } as const;
    const bare = { ...order, withPrivacy: privacy };
    if (!premium) return bare;
    const { amount, currency } = premium.createFee;
    return { ...bare, premium: { class: premium.class, fee: feeMoney({ amount, currency }) } };
  },
  async subject(tx, { resellerId }, { renewalMode }, { name, tld, registryId, premium, parties }, now, entry) {
    if (!parties) throw new Error('a registration without a customer is only a price');
    const renewal = premium && {
      class: premium.class,
      renewalFee: minor(premium.renewFee),
      currency: premium.createFee.currency,
    };
    const row = { resellerId, name, tld, registryId, ...parties, premium: renewal, renewalMode, now };
    const { customerId } = parties;
    return { domainId: await enterDomain(tx, row, entry), isNew: true, registryId, customerId };
  },
  request: ({ years, privacy }, { name, premium, isUnrequested }) => ({
    name,
    years,
    privacy,
    fee: premium?.createFee ?? null,
    ...(isUnrequested ? { price_unasked: true } : {}),
  }),
  secrets: (_order, { registration }) => registrationSecrets(registration),
  workflow: registerWorkflow,
};

const minor = (fee: RegistryFee | undefined): bigint | null => (fee ? feeMoney(fee).amount : null);
