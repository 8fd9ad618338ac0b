import { EppReadError } from '../../errors.ts';
import type { LowBalanceData } from '../../model/poll.ts';
import { need, neededAttribute, neededToken, token } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { type DataCodec, uri } from '../codec.ts';
import { textElement } from '../parts.ts';

/** Verisign lowbalance-poll-1.0 */
export const lowBalance: DataCodec<LowBalanceData> = {
  write(data, ns) {
    const own = uri(ns, 'lowBalancePoll');
    return element(
      own,
      'pollData',
      undefined,
      textElement(own, 'registrarName', data.registrarName),
      textElement(own, 'creditLimit', data.creditLimit),
      element(own, 'creditThreshold', { type: data.threshold.type }, data.threshold.value),
      textElement(own, 'availableCredit', data.availableCredit),
    );
  },
  read(el) {
    const threshold = need(el, el.ns, 'creditThreshold');
    const type = neededAttribute(threshold, 'type');
    if (type !== 'FIXED' && type !== 'PERCENT') throw new EppReadError('shape', 'unknown type', 'creditThreshold');
    return {
      object: 'lowBalance',
      type: 'pollData',
      registrarName: neededToken(el, el.ns, 'registrarName'),
      creditLimit: neededToken(el, el.ns, 'creditLimit'),
      threshold: { type, value: token(threshold) },
      availableCredit: neededToken(el, el.ns, 'availableCredit'),
    };
  },
};
