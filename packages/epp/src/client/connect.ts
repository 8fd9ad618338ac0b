import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { type ConnectionOptions, type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { WallClock } from '../clock.ts';
import { EppUnsentError } from '../errors.ts';
import type { EppEndpoint } from './ports.ts';

/** Opens TLS 1.2 or newer to the registry. The server certificate must match the name, and the pin if one is set. */
export function connect(endpoint: EppEndpoint, timeoutMs: number, clock: WallClock): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect(tlsOptions(endpoint));
    const settle = (error?: EppUnsentError) => {
      stopTimer();
      socket.off('error', onError);
      socket.off('close', onClose);
      if (error === undefined) return resolve(socket);
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    const fail = (detail: string) => settle(new EppUnsentError('connect-failed', detail));
    const onError = (error: Error) => fail(error.message);
    const onClose = () => fail('closed during the handshake');
    const stopTimer = clock.after(timeoutMs, () => fail(`no connection within ${timeoutMs} ms`));
    socket.once('error', onError);
    socket.once('close', onClose);
    socket.once('secureConnect', () => {
      const other = unpinned(socket, endpoint.pins);
      if (other !== undefined) return fail(`the server's public key is not pinned: it is ${other}`);
      socket.setNoDelay(true);
      settle();
    });
  });
}

function tlsOptions(endpoint: EppEndpoint): ConnectionOptions {
  const servername = endpoint.servername ?? (isIP(endpoint.host) === 0 ? endpoint.host : undefined);
  return {
    host: endpoint.host,
    port: endpoint.port,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true,
    ...(servername === undefined ? {} : { servername }),
    ...(endpoint.ca === undefined ? {} : { ca: endpoint.ca as string | Buffer | (string | Buffer)[] }),
    ...(endpoint.cert === undefined ? {} : { cert: endpoint.cert }),
    ...(endpoint.key === undefined ? {} : { key: endpoint.key }),
    ...(endpoint.passphrase === undefined ? {} : { passphrase: endpoint.passphrase }),
    ...(endpoint.localAddress === undefined ? {} : { localAddress: endpoint.localAddress }),
    ...(endpoint.ciphers === undefined ? {} : { ciphers: endpoint.ciphers }),
  };
}

/** The pin is of the key, because the certificate is renewed every few months. Undefined: the key is pinned, or no pin is set. */
function unpinned(socket: TLSSocket, pins: readonly string[] | undefined): string | undefined {
  if (pins === undefined || pins.length === 0) return undefined;
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' });
  const shown = key && createHash('sha256').update(key).digest('base64');
  return shown !== undefined && pins.includes(shown) ? undefined : (shown ?? 'not shown');
}
