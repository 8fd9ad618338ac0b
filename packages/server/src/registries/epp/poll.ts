import type { AnswerData } from '@namehold/epp';
import type { PollMessage, Registry } from '../../core/domains/registry/registry.ts';
import type { Sender } from './driver.ts';
import { reply } from './reply.ts';

export function pollCommands(s: Sender): Pick<Registry, 'poll' | 'acknowledge'> {
  return {
    poll: () =>
      reply({
        send: () => s.pool.send({ object: 'poll', verb: 'request' }, s.options({ lane: 'background' })),
        read(data, answer): PollMessage | null {
          const { msgQ } = answer;
          if (answer.code === 1300 || !msgQ) return null;
          return {
            id: msgQ.id,
            queuedAt: msgQ.qDate ?? null,
            text: msgQ.text ?? '',
            count: msgQ.count,
            raw: answer.frame,
            content:
              answer.unreadable === undefined
                ? contentOf(data as AnswerData | undefined)
                : { kind: 'unreadable', why: answer.unreadable },
          };
        },
      }),
    acknowledge: (messageId) =>
      reply({
        send: () => s.pool.send({ object: 'poll', verb: 'ack', msgID: messageId }, s.options({ lane: 'background' })),
        // Already gone: an earlier acknowledgement arrived whose answer was lost.
        absent: { value: null },
        read: () => null,
      }),
  };
}

function contentOf(data: AnswerData | undefined): PollMessage['content'] {
  if (data?.object === 'domain') {
    if (data.type === 'panData')
      return {
        kind: 'pending_action',
        name: data.name.toLowerCase(),
        approved: data.granted,
        clTRID: data.paTRID.clTRID ?? null,
      };
    if (data.type === 'trnData') {
      return {
        kind: 'transfer',
        name: data.name.toLowerCase(),
        status: data.trStatus,
        gaining: data.reID,
        losing: data.acID,
        expiresAt: data.exDate ?? null,
        requestedAt: data.reDate,
        actionAt: data.acDate,
      };
    }
    if ('name' in data) return { kind: 'domain', name: data.name.toLowerCase() };
  }
  if (data?.object === 'lowBalance') {
    return {
      kind: 'low_balance',
      available: { amount: data.availableCredit, currency: '' },
      limit: { amount: data.threshold.value, currency: '' },
    };
  }
  return { kind: 'other' };
}
