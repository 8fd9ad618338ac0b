import type { ParsedCommand, ServerSession } from '@namehold/epp/server';
import { type Registry, registryTenant } from '../registry/registry.ts';
import type { MessageFaultKind } from './fault.ts';
import { doubleHead, headOf, loseHead, reuseId, swapEnds } from './message-faults.sql.ts';

/** Faults of the poll queue, applied just before a registrar polls. */
export interface MessageFaults {
  apply(kind: MessageFaultKind, client: string): Promise<void>;
  /** Acknowledged ids, which can be used again. */
  acknowledged(command: ParsedCommand, session: ServerSession, code: number): void;
}

export function openMessageFaults(registry: Registry): MessageFaults {
  const lastAcknowledged = new Map<string, string>();
  const applied = new Set<string>();
  return {
    async apply(kind, client) {
      const head = await headOf(registry.db.as(registryTenant), client);
      const autocommit = registry.db.autocommit(registryTenant);
      if (head === undefined) return;
      // A message is returned until it is acknowledged, so it must stay the same meanwhile.
      const key = `${kind} ${client} ${head}`;
      if (applied.has(key)) return;
      applied.add(key);
      if (kind === 'poll-lost') await loseHead(autocommit, client);
      if (kind === 'poll-doubled') {
        const copy = await doubleHead(autocommit, client, head);
        // A copy is not copied again.
        if (copy !== undefined) applied.add(`${kind} ${client} ${copy.id}`);
      }
      if (kind === 'poll-out-of-order') await swapEnds(autocommit, client, head);
      const used = lastAcknowledged.get(client);
      if (kind === 'poll-reused' && used !== undefined) {
        await reuseId(autocommit, client, head, used);
        applied.add(`${kind} ${client} ${used}`);
      }
      registry.messageCounts.changed(client);
    },
    acknowledged(command, session, code) {
      if (command.object !== 'poll' || command.verb !== 'ack' || code !== 1000 || session.clID === undefined) return;
      lastAcknowledged.set(session.clID, command.msgID);
      for (const key of applied) if (key.endsWith(` ${session.clID} ${command.msgID}`)) applied.delete(key);
    },
  };
}
