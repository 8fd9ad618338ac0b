import { createServer, type TLSSocket } from 'node:tls';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { encodeFrame, FrameDecoder, loadSchemas } from '@namehold/epp';
import { createEppServer } from '@namehold/epp/server';
import { answer, answerXml, greetingXml, namespaces, readyAnswer } from './frames.ts';

interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Ports {
  /** The baseline: a frame for each frame, without parsing. */
  readonly echo: number;
  /** Sends a greeting, and answers every command with a prepared answer that contains the command's id. */
  readonly ready: number;
  /** Our server half: parses every command and writes every answer. */
  readonly epp: number;
  /** The same, with validation of every command against the schemas. */
  readonly strict: number;
}

type Serve = (socket: TLSSocket, frame: Buffer) => void;

/** One frame at a time over plain TLS. */
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
  const [answerFrame, fine, bye] = [answer, ...[1000, 1500].map((code) => ({ results: [{ code }] as const }))].map(
    readyAnswer,
  );
  const serve: Serve = (socket, frame) => {
    const text = frame.toString('latin1');
    const from = text.indexOf('<clTRID>') + 8;
    const id = text.slice(from, text.indexOf('<', from));
    const write = text.includes('<login>') ? fine : text.includes('<logout/>') ? bye : answerFrame;
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

/** A separate thread, so that the server's work is not counted for the client. */
if (!isMainThread) parentPort?.postMessage(await serveAll(workerData as Identity));
