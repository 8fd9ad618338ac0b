import { createServer, type TLSSocket } from 'node:tls';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { encodeFrame, FrameDecoder, loadSchemas } from '@namehold/epp';
import { createEppServer } from '@namehold/epp/server';
import { answer, answerXml, greetingXml, namespaces, readyAnswer } from './frames.ts';

export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Ports {
  /** The floor: a frame comes, a frame goes, and nobody looks inside. */
  readonly echo: number;
  /** Greets, and gives to every command the answer that was written before, with the command's own id in it. */
  readonly ready: number;
  /** Our server half: reads every command, writes every answer. */
  readonly epp: number;
  /** The same, and every command is held against the schemas. */
  readonly strict: number;
}

type Serve = (socket: TLSSocket, frame: Buffer) => void;

/** One frame at a time, with no more than TLS around it. */
function bare(identity: Identity, serve: Serve, greeting?: Buffer): Promise<number> {
  const server = createServer(identity, (socket) => {
    socket.setNoDelay(true);
    const decoder = new FrameDecoder();
    socket.on('error', () => {});
    socket.on('data', (piece: Buffer) => {
      for (const frame of decoder.push(piece)) serve(socket, frame);
    });
    if (greeting) socket.write(greeting);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function readyServer(identity: Identity): Promise<number> {
  const [told, fine, bye] = [answer, ...[1000, 1500].map((code) => ({ results: [{ code }] as const }))].map(
    readyAnswer,
  );
  const serve: Serve = (socket, frame) => {
    const text = frame.toString('latin1');
    const from = text.indexOf('<clTRID>') + 8;
    const id = text.slice(from, text.indexOf('<', from));
    const write = text.includes('<login>') ? fine : text.includes('<logout/>') ? bye : told;
    socket.write(encodeFrame(write!(id)));
  };
  return bare(identity, serve, encodeFrame(greetingXml));
}

async function serveAll(identity: Identity): Promise<Ports> {
  const { validator } = await loadSchemas();
  const options = {
    tls: identity,
    namespaces,
    svID: 'Bench',
    authenticate: async () => ({ kind: 'accepted' }) as const,
    dispatch: async () => answer,
  };
  const same = encodeFrame(answerXml);
  return {
    echo: await bare(identity, (socket) => socket.write(same)),
    ready: await readyServer(identity),
    epp: await createEppServer(options).listen(0),
    strict: await createEppServer({ ...options, loadValidator: async () => validator }).listen(0),
  };
}

/** A thread of its own: what the server works is not the client's. */
if (!isMainThread) parentPort?.postMessage(await serveAll(workerData as Identity));
