import { seededRandom } from '@namehold/base';
import { targetsOf } from '@namehold/epp';
import type { ParsedCommand, ServerSession, ShapedAnswer, WireFault, WireHooks } from '@namehold/epp/server';
import { atMidnight, inZone } from './dates.ts';
import { type ActiveFault, type FaultKind, type FaultSpec, isMailKind, isWireKind, type WireKind } from './fault.ts';
import { harmOf } from './harm.ts';
import type { Held } from './held.ts';
import type { Lag } from './lag.ts';
import type { MailMischief } from './mail.ts';
import { openSwap } from './swap.ts';

export interface Dial {
  readonly hooks: WireHooks;
  list(): readonly ActiveFault[];
  turn(spec: FaultSpec): ActiveFault;
  /** All of them, or one. */
  clear(id?: string): void;
}

/** What the dial reaches into. */
export interface Reach {
  /** Open sessions of a registrar. */
  openSessions(clientId: string): number;
  readonly held: Held;
  readonly lag: Lag;
  readonly mail: MailMischief;
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
const defaultSwapWaitMs = 1_000;
const defaultLagMs = 5_000;

/** Off until it is turned. */
export function openDial({ openSessions, held, lag, mail }: Reach): Dial {
  const swap = openSwap();
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

  /** The first wire fault that strikes. Decided once, before the command. */
  function wireFault(command: ParsedCommand, session: ServerSession) {
    const repeated = isRepeated(command, session);
    for (const knob of knobs.values()) {
      const { spec } = knob;
      if (!isWire(spec) || !strikes(knob, command, session, repeated)) continue;
      if (spec.kind === 'held') held.hold(spec, command, session);
      return harmOf(spec, knob.random);
    }
    return undefined;
  }

  const struckBy = (kind: FaultKind, command: ParsedCommand, session: ServerSession): FaultSpec | undefined =>
    [...knobs.values()].find((knob) => knob.spec.kind === kind && strikes(knob, command, session, false))?.spec;

  async function mischief(command: ParsedCommand, session: ServerSession): Promise<void> {
    if (session.clID === undefined) return;
    for (const knob of knobs.values()) {
      const { kind } = knob.spec;
      const asksForMail = command.object === 'poll' && command.verb === 'request';
      if (isMailKind(kind) && asksForMail && strikes(knob, command, session, false))
        await mail.strike(kind, session.clID);
      if (kind === 'lagging-info') await lag.remember(command, session, knob.spec.ms ?? defaultLagMs);
    }
  }

  const hooks: WireHooks = {
    async beforeCommand(command, session): Promise<WireFault | undefined> {
      if (knobs.size === 0) {
        session.attributes.delete(harmKey);
        return undefined;
      }
      await mischief(command, session);
      const harm = wireFault(command, session);
      // What is to harm the answer waits on the session, which has one command in flight.
      session.attributes.set(harmKey, harm?.stage === 'answer' ? harm.fault : undefined);
      return harm?.stage === 'command' ? harm.fault : undefined;
    },
    async shapeAnswer(command, session, response): Promise<ShapedAnswer | undefined> {
      mail.acknowledged(command, session, response.results[0].code);
      await held.carriedOut(command, session);
      if (knobs.size === 0 || command.object === 'session' || session.clID === undefined) return undefined;
      const stale = lag.answer(command, session);
      const lagging = stale !== undefined && struckBy('lagging-info', command, session) !== undefined;
      let answer: ShapedAnswer = { response: lagging ? stale : response, clTRID: command.clTRID };
      if (struckBy('midnight-dates', command, session)) answer = { ...answer, response: atMidnight(answer.response) };
      const zone = struckBy('zone-dates', command, session);
      if (zone !== undefined) answer = { ...answer, rewrite: inZone(zone) };
      const swapped = struckBy('swapped-answers', command, session);
      if (swapped === undefined) return answer;
      return swap.meet(session.clID, session.id, answer, swapped.ms ?? defaultSwapWaitMs);
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

const isWire = (spec: FaultSpec): spec is FaultSpec & { readonly kind: WireKind } => isWireKind(spec.kind);

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
