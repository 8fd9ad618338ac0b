import { createHash } from 'node:crypto';
import type { Journal } from '@namehold/epp';
import type { CommandContext, OwedAnswer } from '../core/domains/registry/registry.ts';
import type { House } from '../core/house.ts';
import { journalAnswered, journalPrepared, journalUnknown, journalUnsent } from '../core/operations/journal.sql.ts';

/** Every command that can change something is written down, sealed, before its first byte leaves. Questions are not. */
export function databaseJournal(house: House, registryId: string): Journal<CommandContext> {
  const journalled = new Set<string>();
  const label = (context: CommandContext | undefined) => context?.step?.split(':')[0] ?? 'command';
  const steps = new Map<string, string>();
  const owedTo = new Map<string, OwedAnswer[]>();
  /** Written with the outcome: a command that is only `prepared` is taken to have left all the same. */
  const sentAt = new Map<string, Date>();
  const close = (clTRID: string) => {
    steps.delete(clTRID);
    sentAt.delete(clTRID);
    owedTo.delete(clTRID);
    return journalled.delete(clTRID);
  };
  return {
    async prepared(entry) {
      if (!entry.transform) return;
      house.point(`${label(entry.context)}:before-journal`);
      await journalPrepared(house.db, {
        clTRID: entry.clTRID,
        registryId,
        operationId: entry.context?.operationId ?? null,
        step: entry.context?.step ?? null,
        fence: entry.context?.fence ?? null,
        object: entry.object,
        verb: entry.verb,
        name: entry.targets[0] ?? null,
        frameSealed: house.vault.sealPacked(entry.frame, `command:${entry.clTRID}`),
        frameSha256: createHash('sha256').update(entry.frame).digest('hex'),
        at: house.wall.now(),
        mayBeForgotten: entry.context?.owed !== undefined,
      });
      if (entry.context?.owed) owedTo.set(entry.clTRID, entry.context.owed);
      journalled.add(entry.clTRID);
      steps.set(entry.clTRID, label(entry.context));
      house.point(`${label(entry.context)}:after-journal`);
    },
    sent(clTRID) {
      if (!journalled.has(clTRID)) return;
      house.point(`${steps.get(clTRID)}:after-send`);
      sentAt.set(clTRID, house.wall.now());
    },
    async answered(clTRID, answer) {
      const step = steps.get(clTRID);
      const left = sentAt.get(clTRID) ?? null;
      const owed = owedTo.get(clTRID);
      if (!close(clTRID)) return;
      house.point(`${step}:before-answered`);
      const sealed = house.vault.sealPacked(answer.frame, `answer:${clTRID}`);
      const { code, svTRID } = answer;
      const told = { clTRID, code, svTRID, sealed, sentAt: left, at: house.wall.now() };
      if (owed) owed.push(told);
      else await journalAnswered(house.db, told);
      house.point(`${step}:after-answered`);
    },
    async unknown(clTRID) {
      const left = sentAt.get(clTRID) ?? null;
      if (close(clTRID)) await journalUnknown(house.db, clTRID, left, house.wall.now());
    },
    async unsent(clTRID) {
      if (close(clTRID)) await journalUnsent(house.db, clTRID, house.wall.now());
    },
  };
}
