import { EppReadError } from '../../errors.ts';
import type { RgpPollData } from '../../model/poll.ts';
import { neededDate, neededToken } from '../../xml/read.ts';
import { element } from '../../xml/tree.ts';
import { type DataCodec, uri } from '../codec.ts';
import { dateElement, readStatuses, textElement, writeStatuses } from '../parts.ts';

/** Verisign rgp-poll-1.0 */
export const rgpPoll: DataCodec<RgpPollData> = {
  write(data, ns) {
    const own = uri(ns, 'rgpPoll');
    return element(
      own,
      'pollData',
      undefined,
      textElement(own, 'name', data.name),
      writeStatuses(own, [data.status], 'rgpStatus'),
      dateElement(own, 'reqDate', data.requestedAt),
      dateElement(own, 'reportDueDate', data.reportDueAt),
    );
  },
  read(el) {
    const [status] = readStatuses(el, el.ns, 'rgpStatus');
    if (status === undefined) throw new EppReadError('shape', 'rgpStatus is missing', 'pollData');
    return {
      object: 'rgpPoll',
      type: 'pollData',
      name: neededToken(el, el.ns, 'name'),
      status,
      requestedAt: neededDate(el, el.ns, 'reqDate'),
      reportDueAt: neededDate(el, el.ns, 'reportDueDate'),
    };
  },
};
