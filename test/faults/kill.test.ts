import { seededRandom } from '@namehold/base';
import { describe } from 'vitest';
import { provenSeed } from '../sim/seeds.ts';
import { killAtEach } from './kill.ts';
import { type KillPoint, killPoints } from './kill-points.ts';

/** The long run kills at every failpoint. A normal run kills at a few, chosen by the commit, so a rerun uses the same ones. */
const seed = Number(process.env.KILL_SEED ?? provenSeed([1, 2, 3, 599_614_958, 1_530_533_720]));
const random = seededRandom(seed);

function draw(count: number, among: (failpoint: KillPoint) => boolean): KillPoint[] {
  const left = killPoints.filter(among);
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]!);
}

const ofKind =
  (...kinds: readonly string[]) =>
  ({ verb }: KillPoint) =>
    kinds.includes(verb.kind);
/** Between a payment and its purchase, and while an order waits. */
const isOfBill = ({ failpoint }: KillPoint) => /^(order|payment):/.test(failpoint);
const isRegister = (each: KillPoint) => ofKind('register')(each) && !isOfBill(each);
const isTransfer = ofKind('transfer', 'approve_transfer', 'reject_transfer');
const isMove = ofKind('move');
const isByClock = (each: KillPoint) => each.verb.isOrderedByClock === true && !isOfBill(each);
const isOther = (each: KillPoint) => ![isOfBill, isRegister, isTransfer, isMove, isByClock].some((is) => is(each));
/** The command was sent and its answer is not received: the worst moment. */
const isWorst = ({ failpoint }: KillPoint) => failpoint.endsWith(':after-send');

describe(`failpoints of KILL_SEED=${seed}`, () => {
  const worst = draw(1, (each) => isOther(each) && isWorst(each));
  const groups = [
    isRegister,
    (each: KillPoint) => isOther(each) && !isWorst(each),
    isOfBill,
    isTransfer,
    isMove,
    isByClock,
  ];
  // Three of the groups, drawn too.
  while (groups.length > 3) groups.splice(Math.floor(random() * groups.length), 1);
  killAtEach([...worst, ...groups.flatMap((group) => draw(1, group))]);
});
