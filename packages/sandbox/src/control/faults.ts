import { readFault } from '../malice/read-fault.ts';
import type { ControlCall } from './control.ts';

export const listFaults: ControlCall = async ({ dial }) => ({ faults: dial.list() });

export const turnFault: ControlCall = async ({ dial }, { body }) => dial.turn(readFault(body));

/** `DELETE /faults` ends all of them, `DELETE /faults/3` that one. */
export const clearFaults: ControlCall = async ({ dial }, { parts }) => {
  dial.clear(parts[0]);
  return { faults: dial.list() };
};
