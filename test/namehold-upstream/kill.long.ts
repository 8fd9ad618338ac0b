import { chainPoints, killAtEach } from './kill.ts';

killAtEach(chainPoints);
