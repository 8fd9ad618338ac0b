import { badField } from '../../errors.ts';
import type { EncryptedSecrets } from '../../model/domain-change.ts';
import { feeMoney } from '../../model/fee-money.ts';
import type { RegistryDomain } from '../../ports/registry.ts';
import type { TldFields } from '../../ports/tld-fields.ts';
import { fieldsOf } from '../../tlds/extra.ts';
import { refuseOrphan } from '../compare/orphan.ts';
import { enterDomain } from '../enter.sql.ts';
import { checkTransferable } from '../transfer-in/validity.ts';
import { checkNameservers, checkRegistrant, type Parties } from './check-order.ts';
import { declareOnContact } from './declaration.ts';
import { queryTransferPremium, type TransferPremium } from './premium-fee.ts';
import type { Purchase, PurchaseOrder } from './purchase.ts';
import { transferWorkflow } from './transfer-workflow.ts';

export interface TransferOrder extends PurchaseOrder {
  readonly domainName: string;
  /** Undefined: as the TLD rules say. */
  readonly years: number | undefined;
  readonly privacy: boolean;
  /** Undefined: the default of the customer or account. */
  readonly renewalMode?: 'manual' | undefined;
  /** The customer and contacts, and the auth code of the current registrar; null if only the price is requested. */
  readonly parties: (Parties & { readonly authCode: string | undefined }) | null;
}

interface Checked {
  readonly name: string;
  readonly tld: string;
  readonly declares: TldFields | null;
  readonly registryId: string;
  readonly years: 0 | 1;
  readonly premium: TransferPremium | null;
  /** The registry did not answer, so its price is not known. */
  readonly isUnrequested: boolean;
  readonly parties: (Omit<Parties, 'nameservers'> & { readonly nameservers: readonly string[] | null }) | null;
  readonly view: RegistryDomain | undefined;
}

/** Transfer of a domain from another registrar. */
export const transfer: Purchase<'transfer', TransferOrder, Checked> = {
  requested: ({ domainName, years, privacy }) => ({ domainName, years, privacy, parties: null, guard: {} }),
  async check(ctx, actor, order, mayQueryLater = false) {
    if (order.privacy)
      throw badField('privacy', 'Privacy protection is not sold with a transfer. Buy it after the transfer.');
    const { name, tld, registryId, view } = await checkTransferable(ctx, actor, order.domainName);
    await refuseOrphan(ctx, name);
    const adds = tld.rules.transfer_years ?? 1;
    const parties = order.parties && {
      ...(await checkRegistrant(ctx, actor, order.parties, tld.rules)),
      nameservers: checkDelegation(order.parties.nameservers, tld.rules, name, view),
    };
    if (order.parties) requireCode(order.parties.authCode);
    const requested = await queryTransferPremium(ctx, { name, tld, registryId, mayQueryLater });
    const isUnrequested = requested === 'not_queried';
    return {
      name,
      tld: tld.name,
      declares: fieldsOf(ctx, tld.rules),
      registryId,
      years: adds,
      premium: isUnrequested ? null : requested,
      isUnrequested,
      parties,
      view,
    };
  },
  async checkLocked(ctx, tx, actor, _order, checked) {
    await declareOnContact(ctx, tx, actor, checked.declares, checked.parties);
    return checked;
  },
  price(_order, { name, tld, registryId, years, premium, parties }) {
    const customerId = parties?.customerId;
    const order = { kind: 'transfer', domainName: name, tld, registryId, customerId, years: 1 } as const;
    const bare = { ...order, withoutYear: years === 0 };
    if (!premium) return bare;
    const { amount, currency } = premium.transferFee;
    return { ...bare, premium: { class: premium.class, fee: feeMoney({ amount, currency }) } };
  },
  async subject(tx, { resellerId }, { renewalMode }, { name, tld, registryId, premium, parties, view }, now, entry) {
    if (!parties) throw new Error('a transfer without a customer is only a price');
    const row = {
      resellerId,
      name,
      tld,
      registryId,
      customerId: parties.customerId,
      contacts: parties.contacts,
      extra: parties.extra,
      nameservers: parties.nameservers ?? view?.nameservers ?? [],
      premium: premium && {
        class: premium.class,
        renewalFee: premium.renewFee ? feeMoney(premium.renewFee).amount : null,
        currency: premium.transferFee.currency,
      },
      renewalMode,
      transfer: { status: 'ordered', from_registrar: view?.sponsor ?? null, requested_at: null, action_at: null },
      now,
    };
    const { customerId } = parties;
    return { domainId: await enterDomain(tx, row, entry), isNew: true, registryId, customerId };
  },
  warnings: (order, { tld, years }) => yearsWarning(tld, order.years, years),
  request: (order, { name, tld, years, premium, isUnrequested, parties, view }) => ({
    name,
    years,
    ...warnedOf(yearsWarning(tld, order.years, years)),
    fee: premium?.transferFee ?? null,
    ...(isUnrequested ? { price_unasked: true } : {}),
    nameservers: parties?.nameservers ?? null,
    from: view?.expiresAt?.toISOString() ?? null,
  }),
  secrets: ({ parties }): EncryptedSecrets => ({ auth_code: parties?.authCode ?? '' }),
  workflow: transferWorkflow,
};

/** Control panels send the years of the package that was bought; the registry adds what its TLD allows. */
function yearsWarning(tld: string, requested: number | undefined, adds: number): string[] {
  if (requested === undefined || requested <= adds) return [];
  const added = adds === 0 ? 'adds no year' : `adds ${adds} year${adds === 1 ? '' : 's'}`;
  return [
    `The order requested ${requested} year${requested === 1 ? '' : 's'}. A transfer under .${tld} ${added}; renew the domain after the transfer for more.`,
  ];
}

const warnedOf = (warnings: readonly string[]) => (warnings.length === 0 ? {} : { warnings });

/** Only the registry knows the format of its codes; here it must only be possible to send the code. */
export function requireCode(code: string | undefined): string {
  if (code === undefined || code === '')
    throw badField('authCode', 'The auth code of the current registrar is required.', 'required');
  if (!/^[\x20-\x7e]+$/.test(code)) throw badField('authCode', 'Must be printable ASCII.');
  return code;
}

/** Null: the nameservers stay as they are. Moving the delegation would leave DS records whose keys the new nameservers do not have. */
function checkDelegation(
  hosts: readonly string[] | undefined,
  rules: Parameters<typeof checkNameservers>[1],
  name: string,
  view: RegistryDomain | undefined,
): readonly string[] | null {
  if (hosts === undefined) return null;
  const checked = checkNameservers(hosts, rules, name);
  const isSame = view !== undefined && [...checked].sort().join() === [...view.nameservers].sort().join();
  if (view && view.ds.length > 0 && !isSame)
    throw badField(
      'nameservers',
      'The domain is signed with DNSSEC (it has DS records). Leave the nameservers out, and change them after the transfer.',
    );
  return checked;
}
