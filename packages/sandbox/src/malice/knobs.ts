import { seededRandom } from '@namehold/base';
import { targetsOf } from '@namehold/epp';
import type { ParsedCommand, ServerSession } from '@namehold/epp/server';
import type { ActiveFault, FaultSpec } from './fault.ts';

export interface Knob {
  readonly id: string;
  readonly spec: FaultSpec;
  readonly random: () => number;
  seen: number;
  struck: number;
}

/** Ids remembered for `repeated-cltrid`. */
const maxRememberedIds = 100_000;

export interface Knobs {
  isEmpty(): boolean;
  all(): Iterable<Knob>;
  /** Whether this registrar has used the id of this command before; remembers it. */
  isRepeated(command: ParsedCommand, session: ServerSession): boolean;
  strikes(knob: Knob, command: ParsedCommand, session: ServerSession, repeated: boolean): boolean;
  list(): readonly ActiveFault[];
  turn(spec: FaultSpec): ActiveFault;
  clear(id?: string): void;
}

/** The faults that are turned on, and when each of them strikes. */
export function openKnobs(openSessions: (clientId: string) => number, standing: readonly FaultSpec[] = []): Knobs {
  const knobs = new Map<string, Knob>();
  const always = standing.map((spec) => newKnob('', spec));
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

  return {
    isEmpty: () => knobs.size === 0 && always.length === 0,
    all: () => [...knobs.values(), ...always],
    isRepeated,
    strikes,
    list: () => [...knobs.values()].map(shown),
    turn(spec) {
      const knob = newKnob(String(nextId++), spec);
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

const newKnob = (id: string, spec: FaultSpec): Knob => ({
  id,
  spec,
  random: seededRandom(spec.seed),
  seen: 0,
  struck: 0,
});
const shown = (knob: Knob): ActiveFault => ({ id: knob.id, ...knob.spec, seen: knob.seen, struck: knob.struck });

const clientOf = (command: ParsedCommand, session: ServerSession): string =>
  session.clID ?? (command.object === 'session' && command.verb === 'login' ? command.clID : '');

function matches(spec: FaultSpec, command: ParsedCommand, session: ServerSession): boolean {
  if (spec.client !== undefined && spec.client !== clientOf(command, session)) return false;
  if (spec.commands !== undefined) {
    const { object, verb } = command;
    const words: readonly string[] = [
      object,
      verb,
      `${object}:${verb}`,
      ...('op' in command ? [`${object}:${verb}:${command.op}`] : []),
    ];
    if (!spec.commands.some((wanted) => words.includes(wanted))) return false;
  }
  if (spec.name === undefined) return true;
  if (command.object === 'session') return false;
  return targetsOf(command).some((target) => target.toLowerCase() === spec.name);
}
