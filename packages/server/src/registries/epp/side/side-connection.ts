import type { AppContext } from '../../../core/app-context.ts';
import type { ListedPrice, OfferedTld, Registry, Reply } from '../../../core/ports/registry.ts';
import type { RegistryRow } from '../../../core/registries/registry.sql.ts';
import { currentCredentials } from '../../password.ts';
import type { Profile } from '../../read-profile.ts';
import { keysysSettings } from '../keysys/settings.ts';
import { isRenewalOrdered, orderedUntil } from '../keysys/view.ts';
import { call, first, rowsOf, type Side } from './call.ts';
import { type ShownAs, sideHoldings } from './holdings.ts';
import { sideSchema } from './settings.ts';

type SideQueries = Pick<Registry, 'holdings' | 'balance' | 'priceList' | 'offeredTlds'>;

/** The HTTP API of the profile, with the login of the EPP sessions. Nothing without one. */
export function sideConnection(ctx: AppContext, row: RegistryRow, profile: Profile): SideQueries {
  if (profile.side === undefined) return {};
  const side: Side = {
    settings: sideSchema.parse(profile.side),
    credentials: () => currentCredentials(ctx, row.id),
  };
  const keysys = keysysSettings(profile);
  const shownAs: ShownAs = ({ name, expiresAt, mode }) => {
    const isOrdered = keysys !== undefined && isRenewalOrdered(keysys, name, mode);
    return { expiresAt: orderedUntil(expiresAt, isOrdered), isRenewalOrdered: isOrdered };
  };
  return {
    ...sideHoldings({ ctx, registryId: row.id, side, shownAs }),
    ...sideBalance(side, profile.currency),
    ...sidePrices(side),
  };
}

/** For the test of a connection: whether the HTTP API accepts the login and answers each query. Nothing is changed. */
export async function probeSide(ctx: AppContext, row: RegistryRow, profile: Profile): Promise<string[]> {
  const { balance, priceList, holdings } = sideConnection(ctx, row, profile);
  if (!balance || !priceList || !holdings) return [];
  const answers = [await balance(), await priceList([]), await holdings({ name: 'namehold.invalid' })];
  return [
    ...new Set(
      answers.flatMap((answer) => {
        if (answer.kind === 'done') return [];
        return [`the HTTP API of the profile (side): ${answer.kind === 'refused' ? answer.evidence.text : answer.why}`];
      }),
    ),
  ];
}

const decimal = /^\d{1,12}(\.\d{1,4})?$/;
const mostYears = 10;

/** StatusAccount: refused if the account is kept in another currency than that of the profile. */
function sideBalance(side: Side, currency: string | undefined): Required<Pick<Registry, 'balance'>> {
  return {
    async balance() {
      const reply = await call(side, 'StatusAccount');
      if (reply.kind !== 'done') return reply;
      const [amount, credit = '0', threshold = '0'] = ['AMOUNT', 'CREDIT', 'CREDIT_THRESHOLD'].map((name) =>
        first(reply.data, name),
      );
      const kept = first(reply.data, 'CURRENCY')?.toUpperCase();
      if (amount === undefined || !/^-?\d{1,12}(\.\d{1,4})?$/.test(amount))
        return { kind: 'unsent', why: 'the HTTP API reports no balance' };
      if (kept !== undefined && currency !== undefined && kept !== currency)
        return {
          kind: 'refused',
          evidence: { text: `the account is kept in ${kept}, and the profile states ${currency}` },
        };
      const available = side.settings.available === 'amount' ? amount : (Number(amount) + Number(credit)).toFixed(2);
      return { ...reply, data: { available, threshold: decimal.test(threshold) ? threshold : '0' } };
    },
  };
}

/** QueryZoneList: one fee of a registration, and one for each year. */
function sidePrices(side: Side): Required<Pick<Registry, 'priceList' | 'offeredTlds'>> {
  return {
    async priceList(tlds) {
      const reply = await call(side, 'QueryZoneList');
      if (reply.kind !== 'done') return reply;
      const rows = rowsOf(reply.data, 'ZONE').filter((row) => tlds.includes(zoneOf(row)) && isYearly(row));
      return { ...reply, data: rows.flatMap(pricesOf) };
    },
    async offeredTlds(): Promise<Reply<readonly OfferedTld[]>> {
      const reply = await call(side, 'QueryZoneList');
      if (reply.kind !== 'done') return reply;
      const active = rowsOf(reply.data, 'ZONE').filter((row) => row('ACTIVE') === '1');
      return { ...reply, data: active.map((row) => ({ tld: zoneOf(row) })) };
    },
  };
}

type Row = (name: string) => string | undefined;

const zoneOf = (row: Row): string => row('ZONE')!.toLowerCase().replace(/^\./, '');

/** Prices by month are not those of a registration. */
const isYearly = (row: Row): boolean => !(row('PERIODTYPE') ?? 'y').toLowerCase().startsWith('m');

function pricesOf(row: Row): ListedPrice[] {
  const tld = zoneOf(row);
  const currency = row('CURRENCY')?.toUpperCase();
  const amountOf = (name: string) => {
    const text = row(name);
    return text !== undefined && decimal.test(text) ? tenThousandths(text) : undefined;
  };
  const [setup = 0n, annual, transfer, restore] = ['SETUP', 'ANNUAL', 'TRANSFER', 'RESTORE'].map(amountOf);
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return [];
  const price = (command: ListedPrice['command'], years: number, amount: bigint): ListedPrice => ({
    tld,
    command,
    years,
    fee: { amount: written(amount), currency },
  });
  return [
    ...(annual === undefined
      ? []
      : Array.from({ length: mostYears }, (_, at) => BigInt(at + 1)).flatMap((years) => [
          price('create', Number(years), setup + annual * years),
          price('renew', Number(years), annual * years),
        ])),
    ...(transfer === undefined ? [] : [price('transfer', 1, transfer)]),
    ...(restore === undefined ? [] : [price('restore', 1, restore)]),
  ];
}

const places = 4;

function tenThousandths(text: string): bigint {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole + part.padEnd(places, '0'));
}

function written(amount: bigint): string {
  const digits = String(amount).padStart(places + 1, '0');
  return `${digits.slice(0, -places)}.${digits.slice(-places).replace(/0{1,2}$/, '')}`;
}
