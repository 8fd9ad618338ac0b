import { createHash } from 'node:crypto';
import type { Journal } from '@namehold/epp';
import type { AppContext } from '../core/app-context.ts';
import { journalAnswered, journalPrepared, journalUnknown, journalUnsent } from '../core/operations/journal.sql.ts';
import type { CommandContext, PendingAnswer } from '../core/ports/registry.ts';

/** Every command that changes something is stored, encrypted, before its first byte is sent. Queries are not stored. */
export function databaseJournal(ctx: AppContext, registryId: string): Journal<CommandContext> {
  const journalled = new Set<string>();
  const label = (context: CommandContext | undefined) => context?.step?.split(':')[0] ?? 'command';
  const steps = new Map<string, string>();
  const pendingOf = new Map<string, PendingAnswer[]>();
  /** Stored with the outcome. A command that is still `prepared` may have been sent. */
  const sentAt = new Map<string, Date>();
  const close = (clTRID: string) => {
    steps.delete(clTRID);
    sentAt.delete(clTRID);
    pendingOf.delete(clTRID);
    return journalled.delete(clTRID);
  };
  return {
    async prepared(entry) {
      if (!entry.transform) return;
      ctx.failpoint(`${label(entry.context)}:before-journal`);
      await journalPrepared(ctx.db, {
        clTRID: entry.clTRID,
        registryId,
        operationId: entry.context?.operationId ?? null,
        step: entry.context?.step ?? null,
        fence: entry.context?.fence ?? null,
        object: entry.object,
        verb: entry.verb,
        name: entry.targets[0] ?? null,
        encryptedFrame: ctx.vault.encryptCompressed(entry.frame, `command:${entry.clTRID}`),
        frameSha256: createHash('sha256').update(entry.frame).digest('hex'),
        at: ctx.wall.now(),
        mayBeUnjournaled: entry.context?.pendingAnswers !== undefined,
      });
      if (entry.context?.pendingAnswers) pendingOf.set(entry.clTRID, entry.context.pendingAnswers);
      journalled.add(entry.clTRID);
      steps.set(entry.clTRID, label(entry.context));
      ctx.failpoint(`${label(entry.context)}:after-journal`);
    },
    sent(clTRID) {
      if (!journalled.has(clTRID)) return;
      ctx.failpoint(`${steps.get(clTRID)}:after-send`);
      sentAt.set(clTRID, ctx.wall.now());
    },
    async answered(clTRID, answer) {
      const step = steps.get(clTRID);
      const left = sentAt.get(clTRID) ?? null;
      const pending = pendingOf.get(clTRID);
      if (!close(clTRID)) return;
      ctx.failpoint(`${step}:before-answered`);
      const encrypted = ctx.vault.encryptCompressed(answer.frame, `answer:${clTRID}`);
      const { code, svTRID } = answer;
      const outcome = { clTRID, code, svTRID, sealed: encrypted, sentAt: left, at: ctx.wall.now() };
      if (pending) pending.push(outcome);
      else await journalAnswered(ctx.db, outcome);
      ctx.failpoint(`${step}:after-answered`);
    },
    async unknown(clTRID) {
      const left = sentAt.get(clTRID) ?? null;
      if (close(clTRID)) await journalUnknown(ctx.db, clTRID, left, ctx.wall.now());
    },
    async unsent(clTRID) {
      if (close(clTRID)) await journalUnsent(ctx.db, clTRID, ctx.wall.now());
    },
  };
}
