import { readFault } from '../faults/read-fault.ts';
import type { ControlCall } from './control.ts';

export const listFaults: ControlCall = async ({ faultInjector }) => ({ faults: faultInjector.list() });

export const addFault: ControlCall = async ({ faultInjector }, { body }) => faultInjector.activate(readFault(body));

/** `DELETE /faults` ends all of them, `DELETE /faults/3` that one. */
export const clearFaults: ControlCall = async ({ faultInjector }, { parts }) => {
  faultInjector.clear(parts[0]);
  return { faults: faultInjector.list() };
};

/** Held commands: those that still wait, and the results of the others. */
export const listHeld: ControlCall = async ({ held }) => ({ held: held.list() });

/** `POST /held`: all are executed now, one after another; `POST /held/3`: that one. */
export const deliverHeld: ControlCall = async ({ held }, { parts }) => {
  await held.deliver(parts[0]);
  return { held: held.list() };
};

/** `DELETE /held`: they are never executed. */
export const loseHeld: ControlCall = async ({ held }, { parts }) => {
  held.lose(parts[0]);
  return { held: held.list() };
};
