import { connect, type TLSSocket } from 'node:tls';
import { createEppPool, DEFAULT_PROFILE, encodeFrame, FrameDecoder, type RegistryProfile } from '@namehold/epp';
import { namespaces, request, requestXml } from './frames.ts';

export const roundMs = 2_000;
/** Node compiles hot code; a service runs for days, and a round of two seconds would mostly measure compilation. */
const warm = { commands: 3_000, limitMs: 20_000 };
export const serverName = 'registry.test';

/** Commands, or echoes, a second, and the client's processor time for each, which does not depend on the load of the machine. */
export interface Rate {
  readonly perSecond: number;
  readonly clientMicros: number;
}

async function measured(run: () => Promise<number>): Promise<Rate> {
  const before = process.threadCpuUsage();
  const count = await run();
  const { user, system } = process.threadCpuUsage(before);
  return { perSecond: count / (roundMs / 1000), clientMicros: (user + system) / count };
}

export function echoRate(port: number, ca: string, connections: number): Promise<Rate> {
  const requestFrame = encodeFrame(requestXml);
  let rounds = 0;
  const untilMs = performance.now() + roundMs;
  const one = (socket: TLSSocket) =>
    new Promise<void>((resolve) => {
      const decoder = new FrameDecoder();
      socket.on('data', (piece: Buffer) => {
        for (const _ of decoder.push(piece)) {
          rounds += 1;
          if (performance.now() >= untilMs) {
            socket.destroy();
            resolve();
            return;
          }
          socket.write(requestFrame);
        }
      });
      socket.once('secureConnect', () => {
        socket.setNoDelay(true);
        socket.write(requestFrame);
      });
    });
  return measured(async () => {
    const endpoint = { host: '127.0.0.1', port, ca, servername: serverName };
    await Promise.all(Array.from({ length: connections }, () => one(connect(endpoint))));
    return rounds;
  });
}

export async function commandRate(port: number, ca: string, connections: number): Promise<Rate> {
  const profile: RegistryProfile = {
    ...DEFAULT_PROFILE,
    namespaces,
    limits: { ...DEFAULT_PROFILE.limits, sessions: connections, commandsPerSecond: 1e6, maxCommandsPerSession: 1e9 },
  };
  const pool = createEppPool({
    endpoint: { host: '127.0.0.1', port, ca, servername: serverName },
    credentials: { clID: 'ClientX', pw: 'secret-1' },
    profile,
  });
  const sendFor = async (limitMs: number, atMost: number): Promise<number> => {
    let commands = 0;
    const untilMs = performance.now() + limitMs;
    const one = async () => {
      while (performance.now() < untilMs && commands < atMost) {
        // The money queue may use every connection.
        const { kind } = await pool.send(request, { priority: 'money' });
        if (kind !== 'done') throw new Error(`bench command ended ${kind}`);
        commands += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, one));
    return commands;
  };
  await sendFor(warm.limitMs, warm.commands);
  const rate = await measured(() => sendFor(roundMs, Number.POSITIVE_INFINITY));
  await pool.close();
  return rate;
}
