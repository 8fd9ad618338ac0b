import { connect } from 'node:net';
import {
  axfrRequest,
  ixfrRequest,
  type Message,
  readMessage,
  signMessage,
  type Transfer,
  TransferReader,
  type TsigKey,
  TsigStreamVerifier,
  writeMessage,
} from '@namehold/dns';
import type { QueryTarget } from '../../../packages/server/src/nameservers/publish/dns-client.ts';
import { framed, TcpFrames } from '../../../packages/server/src/nameservers/sockets/tcp-frames.ts';

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Transfers a zone like a secondary; throws TransferError if it is refused. */
export async function fetchZone(
  at: QueryTarget & { localAddress?: string },
  zone: string,
  key: TsigKey | undefined,
  held?: { serial: number; soa: Uint8Array },
): Promise<Transfer> {
  const request = held ? ixfrRequest(7, zone, held.soa) : axfrRequest(7, zone);
  const unsigned = writeMessage(request);
  const signed = key && signMessage(unsigned, key, { timeSeconds: nowSeconds() });
  const verifier = key && signed && new TsigStreamVerifier(key, signed.mac);
  const reader = new TransferReader(request, held?.serial);
  const socket = connect({
    host: at.address,
    port: at.port,
    ...(at.localAddress ? { localAddress: at.localAddress } : {}),
  });
  socket.write(framed(signed?.octets ?? unsigned));
  const frames = new TcpFrames();
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      for (const octets of frames.take(chunk)) {
        const transfer = reader.add(readMessage(verified(octets, verifier)));
        if (transfer) return transfer;
      }
    }
  } finally {
    socket.destroy();
  }
  throw new Error('the connection was closed before the end');
}

function verified(octets: Buffer, verifier: TsigStreamVerifier | undefined): Uint8Array {
  if (!verifier) return octets;
  const refused: Message = readMessage(octets);
  // A refusal because of the key comes back without a signature.
  if (refused.rcode !== 0 && refused.answer.length === 0) return octets;
  const result = verifier.verify(octets, nowSeconds());
  if (result.state !== 'valid') throw new Error(`the signature of the answer is wrong: ${result.reason}`);
  return result.unsigned;
}
