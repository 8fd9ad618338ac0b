import { operatorId } from '../core/actors.ts';
import type { ExchangeRateRow } from '../core/pricing/exchange-rate.sql.ts';
import { readExchangeRates, setExchangeRate } from '../core/pricing/exchange-rate.ts';
import { type Command, cliActor, optional, positional } from './command.ts';

const describe = ({ base, quote, rate, margin_basis_points, valid_from }: ExchangeRateRow): string =>
  `1 ${base} = ${rate} ${quote}, margin ${margin_basis_points / 100} %, from ${valid_from.toISOString().slice(0, 19)}Z`;

const set: Command = {
  name: 'exchange-rate set',
  summary: 'Set an exchange rate for registry costs: the price of one unit of BASE in QUOTE',
  usage: 'exchange-rate set BASE QUOTE RATE [--margin PERCENT] [--from DATE]',
  options: {
    margin: {
      type: 'string',
      about: 'Percent added to the rate, such as 2.5; default: the present margin, or 0 for a new pair.',
    },
    from: { type: 'string', about: 'Start of validity, not in the past; default: now.' },
  },
  async run(call) {
    const row = await call.tools.withContext((ctx) =>
      setExchangeRate(ctx, cliActor(operatorId), {
        base: positional(call, 0, 'the base currency'),
        quote: positional(call, 1, 'the quote currency'),
        rate: positional(call, 2, 'the rate'),
        margin: optional(call, 'margin'),
        validFrom: optional(call, 'from'),
      }),
    );
    return { lines: [describe(row)], json: row };
  },
};

const list: Command = {
  name: 'exchange-rate list',
  summary: 'List current and future exchange rates',
  usage: 'exchange-rate list',
  async run(call) {
    const rows = await call.tools.withContext((ctx) => readExchangeRates(ctx, cliActor(operatorId)));
    return { lines: rows.length === 0 ? ['no exchange rates'] : rows.map(describe), json: { exchange_rates: rows } };
  },
};

export const exchangeRateCommands: readonly Command[] = [set, list];
