import { expect, test } from 'vitest';
import { playScript } from '../sim/play-script.ts';
import type { Script, Step } from '../sim/script.ts';
import { openGround } from '../sim/worlds.ts';
import { openReplicatedDatabase } from './world/standby.ts';

const orders = 8;
const tlds = Array.from({ length: orders }, () => 'com');
const timeoutMs = 1_200_000;

/** Orders of all kinds are open when the primary dies; later ones go to the standby. */
const failover = (afterMs: number): Script => {
  const order = (verb: 'register' | 'renew' | 'delete', name: number): Step => ({
    do: 'order',
    verb,
    name,
    years: 1,
    via: name % 2,
  });
  const first = tlds.slice(0, orders / 2).map((_, name) => order('register', name));
  const second = tlds.map((_, name) =>
    name >= orders / 2 ? order('register', name) : order(name % 2 === 0 ? 'renew' : 'delete', name),
  );
  const late: Step = { do: 'fault', fault: { kind: 'drop-after-commit', rate: 0.3, commands: ['domain'] } };
  return {
    seed: afterMs,
    tlds,
    steps: [
      ...first,
      { do: 'check' },
      late,
      ...second,
      { do: 'kill-database', afterMs },
      { do: 'check' },
      order('renew', 5),
    ],
  };
};

test.each([0, 40, 150, 400])(
  'loses nothing when the primary dies after %d ms and the synchronous standby takes over',
  async (afterMs) => {
    const ground = await openGround(false, { openDatabase: openReplicatedDatabase });
    try {
      expect((await playScript(ground, failover(afterMs))).failure?.message).toBeUndefined();
    } finally {
      await ground.installation.dispose();
    }
  },
  timeoutMs,
);
