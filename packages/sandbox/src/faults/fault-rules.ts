import { seededRandom } from '@namehold/base';
import { targetsOf } from '@namehold/epp';
import type { ParsedCommand, ServerSession } from '@namehold/epp/server';
import type { ActiveFault, FaultSpec } from './fault.ts';

export interface FaultRule {
  readonly id: string;
  readonly spec: FaultSpec;
  readonly random: () => number;
  /** The command of `after` arrived. */
  hasBegun: boolean;
  seen: number;
  timesApplied: number;
}

/** Number of ids remembered for `repeated-cltrid`. */
const maxRememberedIds = 100_000;

interface FaultRules {
  isEmpty(): boolean;
  all(): Iterable<FaultRule>;
  /** Whether this registrar has used the id of this command before; remembers the id. */
  isRepeated(command: ParsedCommand, session: ServerSession): boolean;
  /** Begins the rules that wait for this command. */
  arrived(command: ParsedCommand, session: ServerSession): void;
  applies(rule: FaultRule, command: ParsedCommand, session: ServerSession, repeated: boolean): boolean;
  list(): readonly ActiveFault[];
  activate(spec: FaultSpec): ActiveFault;
  clear(id?: string): void;
}

/** The active fault rules, which decide when each fault applies. */
export function openFaultRules(
  openSessions: (clientId: string) => number,
  chaosFaults: readonly FaultSpec[] = [],
): FaultRules {
  const rules = new Map<string, FaultRule>();
  const always = chaosFaults.map((spec) => newRule('', spec));
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

  function arrived(command: ParsedCommand, session: ServerSession): void {
    for (const rule of rules.values()) {
      const { after } = rule.spec;
      if (after !== undefined && formsOf(command).includes(after) && isAbout(rule.spec, command, session))
        rule.hasBegun = true;
    }
  }

  function applies(rule: FaultRule, command: ParsedCommand, session: ServerSession, repeated: boolean): boolean {
    const { spec } = rule;
    if (spec.limit !== undefined && rule.timesApplied >= spec.limit) return false;
    if (!rule.hasBegun || !matches(spec, command, session)) return false;
    if (spec.kind === 'repeated-cltrid' && !repeated) return false;
    if (spec.kind === 'session-limit') {
      if (command.verb !== 'login' || openSessions(clientOf(command, session)) < (spec.sessions ?? 0)) return false;
    }
    rule.seen += 1;
    // A random number is drawn for every matching command, so that the sequence depends on nothing else.
    if (rule.random() >= spec.rate) return false;
    rule.timesApplied += 1;
    return true;
  }

  return {
    isEmpty: () => rules.size === 0 && always.length === 0,
    all: () => [...rules.values(), ...always],
    isRepeated,
    arrived,
    applies,
    list: () => [...rules.values()].map(shown),
    activate(spec) {
      const rule = newRule(String(nextId++), spec);
      rules.set(rule.id, rule);
      return shown(rule);
    },
    clear(id) {
      if (id === undefined) rules.clear();
      else rules.delete(id);
      usedIds.clear();
    },
  };
}

const newRule = (id: string, spec: FaultSpec): FaultRule => ({
  id,
  spec,
  random: seededRandom(spec.seed),
  hasBegun: spec.after === undefined,
  seen: 0,
  timesApplied: 0,
});
const shown = (rule: FaultRule): ActiveFault => ({
  id: rule.id,
  ...rule.spec,
  seen: rule.seen,
  struck: rule.timesApplied,
});

const clientOf = (command: ParsedCommand, session: ServerSession): string =>
  session.clID ?? (command.object === 'session' && command.verb === 'login' ? command.clID : '');

/** The forms in which a rule can give a command: `create`, `domain:create`, `domain:transfer:request`. */
function formsOf(command: ParsedCommand): readonly string[] {
  const { object, verb } = command;
  return [object, verb, `${object}:${verb}`, ...('op' in command ? [`${object}:${verb}:${command.op}`] : [])];
}

function isAbout(spec: Pick<FaultSpec, 'client' | 'name'>, command: ParsedCommand, session: ServerSession): boolean {
  if (spec.client !== undefined && spec.client !== clientOf(command, session)) return false;
  if (spec.name === undefined) return true;
  if (command.object === 'session') return false;
  return targetsOf(command).some((target) => target.toLowerCase() === spec.name);
}

function matches(spec: FaultSpec, command: ParsedCommand, session: ServerSession): boolean {
  const forms = formsOf(command);
  const isWanted = spec.commands?.some((wanted) => forms.includes(wanted)) ?? true;
  return isWanted && isAbout(spec, command, session);
}
