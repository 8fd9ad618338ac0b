import type { ResponseSpec } from '@namehold/epp';
import type { WireFault } from '@namehold/epp/server';
import type { FaultSpec, WireFaultKind } from './fault.ts';

/** `command`: the command is not executed. `answer`: it is executed and committed, and only the answer is affected. */
interface StagedFault {
  readonly stage: 'command' | 'answer';
  readonly fault: WireFault;
}

const defaultDelayMs = 2_000;
const defaultCutBytes = 20;
const defaultPieceBytes = 2;
const defaultPieceGapMs = 1;

const answering = (code: number, reason: string): WireFault => {
  const response: ResponseSpec = { results: [{ code, extValues: [{ reason }] }] };
  return { do: 'answer', response };
};

export function stagedFaultOf(spec: FaultSpec & { readonly kind: WireFaultKind }, random: () => number): StagedFault {
  const dropped: WireFault = spec.how === 'close' ? { do: 'close' } : { do: 'drop' };
  switch (spec.kind) {
    case 'drop-before':
    case 'held':
      return { stage: 'command', fault: dropped };
    case 'drop-after-commit':
      return { stage: 'answer', fault: dropped };
    case 'delay':
      return { stage: 'answer', fault: { do: 'delay', ms: spec.ms ?? defaultDelayMs } };
    case 'cut':
      return { stage: 'answer', fault: { do: 'cut', afterBytes: spec.bytes ?? defaultCutBytes } };
    case 'half-frame':
      return { stage: 'answer', fault: { do: 'half-frame' } };
    case 'slow':
      return {
        stage: 'answer',
        fault: { do: 'pieces', bytes: spec.bytes || defaultPieceBytes, gapMs: spec.ms ?? defaultPieceGapMs },
      };
    case '2400':
      return { stage: stageOf(spec, random), fault: answering(2400, 'internal error') };
    case '2500':
      return { stage: stageOf(spec, random), fault: answering(2500, 'internal error, closing') };
    case '2502':
    case 'session-limit':
      return { stage: 'command', fault: answering(2502, 'session limit reached') };
    case 'maintenance':
      return { stage: 'command', fault: answering(2500, 'maintenance') };
    case 'repeated-cltrid':
      return { stage: 'command', fault: { do: 'close' } };
  }
}

/** By default a 2400 does not show whether the command ran. */
function stageOf(spec: FaultSpec, random: () => number): StagedFault['stage'] {
  if (spec.when === 'before') return 'command';
  if (spec.when === 'after') return 'answer';
  return random() < 0.5 ? 'command' : 'answer';
}
