import { parseDurationMs } from '@namehold/base';
import { settleDue } from '../scheduler/settle.ts';
import { type Control, type ControlCall, ControlError } from './control.ts';

const shown = ({ clock }: Control) => ({ now: clock.now().toISOString(), offset_ms: clock.offsetMs() });

export const showClock: ControlCall = async (control) => shown(control);

/** `{"move": "+30d"}`. Answers after all due changes were made. */
export const moveClock: ControlCall = async (control, { body }) => {
  const byMs = parseDurationMs(String(body.move ?? ''));
  if (byMs === undefined) throw new ControlError(400, 'move must be like "+30d", "-2h", "90s"');
  control.clock.move(byMs);
  await settleDue(control.registry);
  return shown(control);
};
