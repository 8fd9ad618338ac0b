import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Rate, roundMs } from './rates.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('net-epp.pl', import.meta.url));
const limitMs = 60_000;

/** Undefined if it is not installed. */
export async function netEppRate(port: number): Promise<Rate | undefined> {
  const isHere = await run('perl', ['-MNet::EPP::Simple', '-e', '1']).then(
    () => true,
    () => false,
  );
  if (!isHere) {
    console.log('Net::EPP is not installed, so nothing is compared with it: apt-get install libnet-epp-perl');
    return undefined;
  }
  const { stdout } = await run('perl', [program, String(port), String(roundMs)], { timeout: limitMs });
  const [perSecond = 0, clientMicros = 0] = stdout.trim().split(' ').map(Number);
  return { perSecond, clientMicros };
}
