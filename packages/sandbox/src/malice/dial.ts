import { seededRandom } from '@namehold/base';
import { targetsOf } from '@namehold/epp';
import type { ParsedCommand, ServerSession, WireFault, WireHooks } from '@namehold/epp/server';
import type { ActiveFault, FaultSpec } from './fault.ts';
import { type Harm, harmOf } from './harm.ts';

export interface Dial {
  readonly hooks: WireHooks;
  list(): readonly ActiveFault[];
  turn(spec: FaultSpec): ActiveFault;
  /** All of them, or one. */
  clear(id?: string): void;
}

interface Knob {
  readonly id: string;
  readonly spec: FaultSpec;
  readonly random: () => number;
  seen: number;
  struck: number;
}

const harmKey = 'malice';
/** Ids remembered for `repeated-cltrid`. */
const maxRememberedIds = 100_000;

/** Off until it is turned. `openSessions` counts the sessions of a registrar. */
export function openDial(openSessions: (clientId: string) => number): Dial {
  const knobs = new Map<string, Knob>();
  const usedIds = new Set<string>();
  let nextId = 1;

  function isRepeated(command: ParsedCommand, session: ServerSession): boolean {
    if (command.clTRID === undefined) return false;
    const key = `${clientOf(command, session)} ${command.clTRID}`;
    if (usedIds.has(key)) return true;
    if (usedIds.size >= maxRememberedIds) usedIds.clear();
    usedIds.add(key);
    return false;
  }

  function strikes(knob: Knob, command: ParsedCommand, session: ServerSession, repeated: boolean): boolean {
    const { spec } = knob;
    if (spec.limit !== undefined && knob.struck >= spec.limit) return false;
    if (!matches(spec, command, session)) return false;
    if (spec.kind === 'repeated-cltrid' && !repeated) return false;
    if (spec.kind === 'session-limit') {
      if (command.verb !== 'login' || openSessions(clientOf(command, session)) < (spec.sessions ?? 0)) return false;
    }
    knob.seen += 1;
    // Drawn for every command that matches, so that the sequence depends on nothing else.
    if (knob.random() >= spec.rate) return false;
    knob.struck += 1;
    return true;
  }

  /** Decided once, before the command; what is to harm the answer waits on the session, which has one command in flight. */
  function decide(command: ParsedCommand, session: ServerSession): Harm | undefined {
    if (knobs.size === 0) return undefined;
    const repeated = isRepeated(command, session);
    for (const knob of knobs.values()) {
      if (strikes(knob, command, session, repeated)) return harmOf(knob.spec, knob.random);
    }
    return undefined;
  }

  const hooks: WireHooks = {
    async beforeCommand(command, session): Promise<WireFault | undefined> {
      const harm = decide(command, session);
      session.attributes.set(harmKey, harm?.stage === 'answer' ? harm.fault : undefined);
      return harm?.stage === 'command' ? harm.fault : undefined;
    },
    async beforeAnswer(_command, session): Promise<WireFault | undefined> {
      return session.attributes.get(harmKey) as WireFault | undefined;
    },
  };

  return {
    hooks,
    list: () => [...knobs.values()].map(shown),
    turn(spec) {
      const knob: Knob = { id: String(nextId++), spec, random: seededRandom(spec.seed), seen: 0, struck: 0 };
      knobs.set(knob.id, knob);
      return shown(knob);
    },
    clear(id) {
      if (id === undefined) knobs.clear();
      else knobs.delete(id);
      usedIds.clear();
    },
  };
}

const shown = (knob: Knob): ActiveFault => ({ id: knob.id, ...knob.spec, seen: knob.seen, struck: knob.struck });

const clientOf = (command: ParsedCommand, session: ServerSession): string =>
  session.clID ?? (command.object === 'session' && command.verb === 'login' ? command.clID : '');

function matches(spec: FaultSpec, command: ParsedCommand, session: ServerSession): boolean {
  if (spec.client !== undefined && spec.client !== clientOf(command, session)) return false;
  if (spec.commands !== undefined) {
    const { object, verb } = command;
    if (!spec.commands.some((wanted) => wanted === verb || wanted === `${object}:${verb}` || wanted === object))
      return false;
  }
  if (spec.name === undefined) return true;
  if (command.object === 'session') return false;
  return targetsOf(command).some((target) => target.toLowerCase() === spec.name);
}
