import { type AnswerData, type AnswerExtensions, unhandledUris } from '@namehold/epp';
import type { PollMessage, Registry, RegistryMaintenance } from '../../core/ports/registry.ts';
import type { Sender } from './driver.ts';
import { reply } from './reply.ts';
import { known } from './transfers.ts';
import { domainView } from './view.ts';

/** The operator can read the whole message. */
const mostForms = 10;

export function pollCommands(s: Sender): Pick<Registry, 'poll' | 'acknowledge'> {
  return {
    poll: () =>
      reply({
        send: () => s.pool.send({ object: 'poll', verb: 'request' }, s.options({ priority: 'background' })),
        read(data, answer): PollMessage | null {
          const { msgQ } = answer;
          if (answer.code === 1300 || !msgQ) return null;
          const unhandled = formsNotNamed(s, answer.results, data as AnswerData | undefined, answer.ext);
          return {
            id: msgQ.id,
            queuedAt: msgQ.qDate ?? null,
            text: msgQ.text ?? '',
            count: msgQ.count,
            raw: answer.frame,
            ...(unhandled.length > 0 ? { unhandled } : {}),
            content:
              answer.unreadable === undefined
                ? contentOf(s, data as AnswerData | undefined, answer.ext)
                : { kind: 'unreadable', why: answer.unreadable },
          };
        },
      }),
    acknowledge: (messageId) =>
      reply({
        send: () =>
          s.pool.send({ object: 'poll', verb: 'ack', msgID: messageId }, s.options({ priority: 'background' })),
        // Already removed: the answer to an earlier acknowledgement was lost.
        absent: { value: null },
        read: () => null,
      }),
  };
}

/**
 * Namespaces of messages that the profile does not include: those that the registry lists (RFC 9038), and those that it sends without
 * that extension.
 */
function formsNotNamed(
  s: Sender,
  results: Parameters<typeof unhandledUris>[0],
  data: AnswerData | undefined,
  ext: AnswerExtensions,
): string[] {
  const plain = [...(data?.object === 'other' ? data.elements : []), ...(ext.other ?? [])].map(({ ns }) => ns);
  const named = [...s.profile.otherExtensionURIs, ...s.profile.extensions.map(({ uri }) => uri)];
  return [...new Set([...unhandledUris(results), ...plain])].filter((uri) => !named.includes(uri)).slice(0, mostForms);
}

function contentOf(s: Sender, data: AnswerData | undefined, ext: AnswerExtensions): PollMessage['content'] {
  if (data?.object === 'domain') return ofDomain(s, data, ext);
  if (data?.object === 'rgpPoll')
    return { kind: 'restore_due', name: data.name.toLowerCase(), reportDueAt: data.reportDueAt };
  if (data?.object === 'maintenance') return { kind: 'maintenance', items: maintenances(data) };
  if (data?.object === 'lowBalance') {
    return {
      kind: 'low_balance',
      available: { amount: data.availableCredit, currency: '' },
      limit: { amount: data.threshold.value, currency: '' },
    };
  }
  return { kind: 'other' };
}

function ofDomain(
  s: Sender,
  data: Extract<AnswerData, { object: 'domain' }>,
  ext: AnswerExtensions,
): PollMessage['content'] {
  if (ext.change && 'name' in data) {
    const { state, operation, detail, date, who, reason, caseId, svTRID } = ext.change;
    return {
      kind: 'change',
      name: data.name.toLowerCase(),
      change: {
        state,
        operation,
        detail: detail ?? null,
        at: date,
        who,
        reason: reason ?? null,
        dispute: caseId ? { type: caseId.name ?? caseId.type, id: caseId.id } : null,
        svTRID,
      },
      shown: data.type === 'infData' ? domainView(s, data, ext) : {},
    };
  }
  if (data.type === 'panData')
    return {
      kind: 'pending_action',
      name: data.name.toLowerCase(),
      approved: data.granted,
      clTRID: data.paTRID.clTRID ?? null,
    };
  if (data.type === 'trnData') {
    const [requestedAt, actionAt] = [known(data.reDate), known(data.acDate)];
    return {
      kind: 'transfer',
      name: data.name.toLowerCase(),
      status: data.trStatus,
      gaining: data.reID,
      losing: data.acID,
      expiresAt: data.exDate ?? null,
      ...(requestedAt ? { requestedAt } : {}),
      ...(actionAt ? { actionAt } : {}),
    };
  }
  return 'name' in data ? { kind: 'domain', name: data.name.toLowerCase() } : { kind: 'other' };
}

/** RFC 9167 3.3: a message has one notice with all details, or a list with only the dates. */
function maintenances(data: Extract<AnswerData, { object: 'maintenance' }>): RegistryMaintenance[] {
  if ('list' in data)
    return data.list.map(({ id, name, start, end }) => ({ ...withoutDetails, id, name: name ?? null, start, end }));
  const { id, name, start, end, pollType, systems, environment, reason, descriptions, tlds } = data.item;
  return [
    {
      id,
      name: name ?? null,
      start,
      end,
      isOver: pollType === 'delete' || pollType === 'end',
      systems: systems.map((system) => ({ name: system.name, impact: system.impact })),
      environment: environment.name ?? environment.type,
      reason,
      description: descriptions.find(({ type }) => type !== 'html')?.text ?? null,
      tlds,
    },
  ];
}

const withoutDetails = {
  isOver: false,
  systems: [],
  environment: 'production',
  reason: 'planned',
  description: null,
  tlds: [],
} as const;
