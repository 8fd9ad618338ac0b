import type { Aim, Step, Verb } from '../script.ts';
import type { Dice } from './dice.ts';

const commandOf: Partial<Record<Verb, string>> = {
  register: 'create',
  renew: 'renew',
  delete: 'delete',
  transfer: 'transfer:request',
  approve: 'transfer:approve',
  reject: 'transfer:reject',
};
export const commandsOf = (verb: Verb): string[] => [`domain:${commandOf[verb] ?? 'update'}`];

/** The registry's faults for this order. */
export function drawFaults(dice: Dice, verb: Verb, name: number): Step[] {
  const commands = commandsOf(verb);
  const fault = (aim: Omit<Aim, 'name'>): Step => ({ do: 'fault', fault: { ...aim, name } as Aim });
  const deaf = fault({ kind: 'drop-before', commands: ['domain'] });
  const mute = fault({ kind: 'drop-before', commands: ['domain:info'] });
  const lost = fault({ kind: 'drop-after-commit', commands, limit: 1 });
  const everywhere = (aim: Aim): Step => ({ do: 'fault', fault: aim });
  const choices: (() => Step[])[] = [
    () => [deaf],
    () => [deaf],
    () => [deaf],
    () => [fault({ kind: 'drop-before', commands })],
    () => [fault({ kind: 'drop-before', commands })],
    () => [fault({ kind: 'drop-before', commands })],
    () => [lost],
    () => [lost],
    () => [lost, mute],
    () => [fault({ kind: 'drop-before', commands, limit: 1 }), mute],
    () => [fault({ kind: 'held', commands, until: 'question', limit: 1 })],
    () => [fault({ kind: 'held', commands, until: 'question', limit: 2 })],
    () => [fault({ kind: 'held', commands, until: 'command', limit: 1 })],
    () => [fault({ kind: 'held', commands, ms: dice.between(500, 6_000), limit: 1 })],
    () => [fault({ kind: '2400', commands, limit: 1 })],
    () => [fault({ kind: '2500', commands, limit: 1 })],
    () => [fault({ kind: 'delay', commands, ms: dice.between(300, 2_000), limit: 1 })],
    () => [fault({ kind: 'half-frame', commands, limit: 1 })],
    () => [fault({ kind: 'lagging-info', ms: dice.between(500, 5_000) }), lost],
    () => [everywhere({ kind: 'swapped-answers', commands: ['domain'], ms: 300 })],
    () => [everywhere({ kind: dice.pick(['poll-doubled', 'poll-reused', 'poll-out-of-order', 'poll-lost']) })],
    () => [everywhere({ kind: 'zone-dates', zone: dice.pick(['+07:00', '-05:00']), mark: 'offset' })],
    () => [{ do: 'silence' }],
  ];
  return dice.pick(choices)();
}
