import type { Inputs, ResponseBody, Schema } from '../api/shapes.ts';

export type Service = Schema<'UpstreamService'>;
export type Tested = ResponseBody<'/operator/upstreams/test', 'post'>;
export type Preview = ResponseBody<'/operator/upstreams', 'post'>;
type AccountBody = Inputs<'/operator/upstreams/test', 'post'>['body'];
type AddBody = Inputs<'/operator/upstreams', 'post'>['body'];

/** The limit of the service for one call. */
export const mostTlds = 200;

/** Kept in memory only, because it contains the secret. */
export interface AccountDraft {
  readonly service: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly currency: string;
  readonly isTestSystem: boolean;
}

export interface SaleDraft {
  readonly registryId: string;
  readonly tlds: readonly string[];
  readonly margin: string;
  readonly target: 'customer' | 'reseller';
  readonly step: string;
  readonly ending: string;
}

export function accountBody(draft: AccountDraft, { service, fields, has_test_system }: Service): AccountBody {
  // A field of another service that was chosen before is not sent.
  const stated = Object.fromEntries(fields.map(({ name }) => [name, (draft.fields[name] ?? '').trim()]));
  return {
    client_id: '',
    secret: '',
    ...stated,
    service,
    currency: draft.currency.trim().toUpperCase(),
    ...(has_test_system && draft.isTestSystem ? { test_system: true } : {}),
  };
}

export function addBody(account: AccountBody, sale: SaleDraft): AddBody {
  const [margin, step, ending] = [sale.margin, sale.step, sale.ending].map((text) => text.trim().replace(',', '.'));
  return {
    ...account,
    registry_id: sale.registryId.trim(),
    tlds: [...sale.tlds],
    target: sale.target,
    ...(margin ? { margin } : {}),
    ...(step ? { rounding_step: step } : {}),
    ...(ending ? { rounding_ending: ending } : {}),
  };
}

export const tldsIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .map((tld) => tld.replace(/^\./, ''))
      .filter((tld) => tld !== ''),
  ),
];

type Change = Preview['costs'][number];

interface PreviewRow {
  readonly key: string;
  readonly tld: string;
  readonly action: string;
  readonly from: string | null;
  readonly cost: Change | undefined;
  readonly price: Change | undefined;
  /** The selling price is below the cost. */
  readonly loss: Preview['below_cost'][number] | undefined;
}

/** One row for each TLD, action and date, with its cost and its selling price. */
export function previewRows({
  costs,
  prices,
  below_cost,
}: Pick<Preview, 'costs' | 'prices' | 'below_cost'>): PreviewRow[] {
  const keyOf = ({ tld, action, years, from }: Pick<Change, 'tld' | 'action' | 'years' | 'from'>) =>
    `${tld} ${action} ${years} ${from ?? ''}`;
  const byKey = (changes: readonly Change[]) => new Map(changes.map((change) => [keyOf(change), change]));
  const [cost, price] = [byKey(costs), byKey(prices)];
  const losses = new Map(below_cost.map((loss) => [keyOf(loss), loss]));
  const all = new Map<string, Pick<Change, 'tld' | 'action' | 'from'>>([...losses, ...price, ...cost]);
  return [...all].map(([key, { tld, action, from }]) => ({
    key,
    tld,
    action,
    from,
    cost: cost.get(key),
    price: price.get(key),
    loss: losses.get(key),
  }));
}
