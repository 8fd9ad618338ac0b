import { isTransform, type ResponseSpec, targetsOf } from '@namehold/epp';
import type { DispatchedCommand, ParsedCommand, ServerSession } from '@namehold/epp/server';
import type { FaultSpec } from './fault.ts';

/** A command that is executed late. */
interface HeldCommand {
  readonly id: string;
  readonly client: string;
  readonly command: string;
  readonly targets: readonly string[];
  readonly cl_trid: string | null;
  readonly until: 'time' | 'question' | 'command';
  readonly state: 'held' | 'delivered' | 'lost';
  /** The registry's answer, which no client received. */
  readonly code: number | null;
}

export interface HeldCommands {
  hold(spec: FaultSpec, command: ParsedCommand, session: ServerSession): void;
  /** A command was executed: those that waited for it are executed now. */
  afterCommand(command: ParsedCommand, session: ServerSession): Promise<void>;
  list(): readonly HeldCommand[];
  /** All of them, or one. */
  deliver(id?: string): Promise<void>;
  lose(id?: string): void;
}

/** A delayed command, with what the control API shows of it. */
interface HeldEntry {
  shown: HeldCommand;
  readonly command: DispatchedCommand;
  readonly session: ServerSession;
  timer?: ReturnType<typeof setTimeout>;
}

const defaultHoldMs = 2_000;
const maxRemembered = 10_000;

export type CarryOut = (command: DispatchedCommand, session: ServerSession) => Promise<ResponseSpec>;

export function openHeldCommands(carryOut: CarryOut): HeldCommands {
  const heldCommands = new Map<string, HeldEntry>();
  let nextId = 1;

  async function execute(held: HeldEntry): Promise<void> {
    if (held.shown.state !== 'held') return;
    clearTimeout(held.timer);
    held.shown = { ...held.shown, state: 'delivered' };
    try {
      const answer = await carryOut(held.command, held.session);
      held.shown = { ...held.shown, code: answer.results[0].code };
    } catch {
      // As with any command lost in a registry's outage, no client is informed.
      held.shown = { ...held.shown, state: 'lost' };
    }
  }

  const waiting = (id?: string) =>
    [...heldCommands.values()].filter(({ shown }) => shown.state === 'held' && (id === undefined || shown.id === id));

  function evictOldest(): void {
    for (const [id, { shown }] of heldCommands) {
      if (heldCommands.size <= maxRemembered) return;
      if (shown.state !== 'held') heldCommands.delete(id);
    }
  }

  return {
    hold(spec, command, session) {
      if (command.object === 'session' || session.clID === undefined) return;
      const until = spec.until ?? 'time';
      const shown: HeldCommand = {
        id: String(nextId++),
        client: session.clID,
        command: `${command.object}:${command.verb}`,
        targets: targetsOf(command).map((target) => target.toLowerCase()),
        cl_trid: command.clTRID ?? null,
        until,
        state: 'held',
        code: null,
      };
      const held: HeldEntry = { shown, command: command as DispatchedCommand, session };
      const ms = spec.ms ?? (until === 'time' ? defaultHoldMs : undefined);
      if (ms !== undefined) held.timer = setTimeout(() => void execute(held), ms).unref();
      heldCommands.set(shown.id, held);
      evictOldest();
    },
    async afterCommand(command, session) {
      if (command.object === 'session') return;
      const occasion = isTransform(command) ? 'command' : command.verb === 'info' ? 'question' : undefined;
      const targets = targetsOf(command).map((target) => target.toLowerCase());
      for (const held of waiting()) {
        const { until, client, command: kind } = held.shown;
        const sameObject = kind.startsWith(`${command.object}:`) && client === session.clID;
        if (until !== occasion || !sameObject || !held.shown.targets.some((each) => targets.includes(each))) continue;
        await execute(held);
      }
    },
    list: () => [...heldCommands.values()].map(({ shown }) => shown),
    async deliver(id) {
      for (const held of waiting(id)) await execute(held);
    },
    lose(id) {
      for (const held of waiting(id)) {
        clearTimeout(held.timer);
        held.shown = { ...held.shown, state: 'lost' };
      }
    },
  };
}
