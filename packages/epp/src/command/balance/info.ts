import { EppReadError } from '../../errors.ts';
import type { BalanceInfData, BalanceInfoRequest } from '../../model/balance.ts';
import { need, neededToken, optionalToken } from '../../xml/read.ts';
import { element, type XmlElement } from '../../xml/tree.ts';
import { uri, type VerbCodec } from '../codec.ts';
import { textElement } from '../parts.ts';

export const balanceInfo: VerbCodec<BalanceInfoRequest, BalanceInfData> = {
  rfc: 'verisign_epp-extension_balance_v01 3.1.2',
  writeRequest: (_request, ns) => element(uri(ns, 'balance'), 'info'),
  readRequest: () => ({ object: 'balance', verb: 'info' }),
  answer: {
    write(data, ns) {
      const own = uri(ns, 'balance');
      const { type, value } = data.threshold;
      return element(
        own,
        'infData',
        undefined,
        textElement(own, 'creditLimit', data.creditLimit),
        textElement(own, 'balance', data.balance),
        textElement(own, 'availableCredit', data.availableCredit),
        element(own, 'creditThreshold', undefined, textElement(own, type === 'FIXED' ? 'fixed' : 'percent', value)),
      );
    },
    read: (el) => ({
      object: 'balance',
      type: 'infData',
      creditLimit: amount(el, 'creditLimit'),
      balance: amount(el, 'balance'),
      availableCredit: amount(el, 'availableCredit'),
      threshold: readThreshold(need(el, el.ns, 'creditThreshold')),
    }),
  },
};

function readThreshold(el: XmlElement): BalanceInfData['threshold'] {
  const fixed = optionalToken(el, el.ns, 'fixed');
  if (fixed !== undefined) return { type: 'FIXED', value: amount(el, 'fixed') };
  return { type: 'PERCENT', value: amount(el, 'percent') };
}

/** currencyValueType: a decimal, negative where more than the limit is used. */
function amount(el: XmlElement, name: string): string {
  const text = neededToken(el, el.ns, name);
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new EppReadError('shape', 'not a decimal', name);
  return text;
}
