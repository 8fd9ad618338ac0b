import type { ParsedCommand, ServerSession } from '@namehold/epp/server';
import { type Registry, registryTenant } from '../registry/registry.ts';
import type { MailKind } from './fault.ts';
import { doubleHead, headOf, loseHead, reuseId, swapEnds } from './mail.sql.ts';

/** Mischief with the mail, done just before a registrar asks for it. */
export interface MailMischief {
  strike(kind: MailKind, client: string): Promise<void>;
  /** Ids that were acknowledged may be used again. */
  acknowledged(command: ParsedCommand, session: ServerSession, code: number): void;
}

export function openMailMischief(registry: Registry): MailMischief {
  const lastAcknowledged = new Map<string, string>();
  const struck = new Set<string>();
  return {
    async strike(kind, client) {
      const head = await headOf(registry.db.as(registryTenant), client);
      const alone = registry.db.alone(registryTenant);
      if (head === undefined) return;
      // A message is asked for again until it is acknowledged; it must stay the same message meanwhile.
      const key = `${kind} ${client} ${head}`;
      if (struck.has(key)) return;
      struck.add(key);
      if (kind === 'poll-lost') await loseHead(alone, client);
      if (kind === 'poll-doubled') {
        const copy = await doubleHead(alone, client, head);
        // Twice is enough: a copy is not copied again.
        if (copy !== undefined) struck.add(`${kind} ${client} ${copy.id}`);
      }
      if (kind === 'poll-out-of-order') await swapEnds(alone, client, head);
      const used = lastAcknowledged.get(client);
      if (kind === 'poll-reused' && used !== undefined) {
        await reuseId(alone, client, head, used);
        struck.add(`${kind} ${client} ${used}`);
      }
      registry.mailCounts.changed(client);
    },
    acknowledged(command, session, code) {
      if (command.object !== 'poll' || command.verb !== 'ack' || code !== 1000 || session.clID === undefined) return;
      lastAcknowledged.set(session.clID, command.msgID);
      for (const key of struck) if (key.endsWith(` ${session.clID} ${command.msgID}`)) struck.delete(key);
    },
  };
}
