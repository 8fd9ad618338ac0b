import { describe } from 'vitest';
import { killAtEach, upstreamPoints } from './kill-points.ts';

const dialects = Map.groupBy(upstreamPoints, ({ dialect }) => dialect);

describe.each([...dialects])('a seller with the dialect %s', (dialect, points) => killAtEach(dialect, points));
