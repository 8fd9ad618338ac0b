import { killAtEach } from './kill.ts';
import { killPoints } from './kill-points.ts';

killAtEach(killPoints);
