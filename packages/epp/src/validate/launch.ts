import type { LaunchCreate, LaunchPhase } from '../model/launch.ts';
import { refuse } from './common.ts';

const PHASES = ['sunrise', 'landrush', 'claims', 'open', 'custom'];
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

export function checkLaunchPhase(phase: LaunchPhase | undefined): void {
  if (phase !== undefined && !PHASES.includes(phase.phase)) refuse('launch.phase', `not one of ${PHASES.join(', ')}`);
}

/** RFC 8334 3.3 */
export function checkLaunchCreate(launch: LaunchCreate | undefined): void {
  if (launch === undefined) return;
  checkLaunchPhase(launch.phase);
  const { codeMarks = [], encodedSignedMarks = [], notices = [] } = launch;
  if (codeMarks.length > 0 && encodedSignedMarks.length > 0) refuse('launch', 'codes and signed marks together');
  for (const each of encodedSignedMarks) if (!BASE64.test(each)) refuse('launch.encodedSignedMarks', 'not base64');
  for (const notice of notices) {
    if (notice.noticeId === '') refuse('launch.notices', 'without its id');
    const times = [notice.notAfter.getTime(), notice.acceptedAt.getTime()] as const;
    if (times.some(Number.isNaN)) refuse('launch.notices', 'not a time');
    // RFC 8334 2.6.3: a notice accepted after its end is not valid.
    if (times[1] > times[0]) refuse('launch.notices', 'accepted after its end');
  }
}
