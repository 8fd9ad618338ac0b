import { requireFreePort, type WantedPort } from '@namehold/base';
import type { Config } from '../config.ts';
import { edgeAddresses, servesTls } from '../core/forwarding/target.ts';
import { DataFolder } from './data-folder.ts';
import { readNameserver } from './nameserver-process.ts';
import { readState } from './sandbox-process.ts';

/** Checks ports before anything is started, so that a port in use is reported in one sentence and nothing is left running. */
export async function requirePorts(config: Config): Promise<void> {
  const folder = new DataFolder(config.dataDir);
  const wanted: (Omit<WantedPort, 'port'> & { readonly port: number | undefined })[] = [
    { host: config.host, port: config.port, setting: 'NAMEHOLD_PORT', protocols: ['tcp'] },
    {
      host: config.redirectHost,
      port: edgeAddresses(config).length > 0 ? config.redirectPort : undefined,
      setting: 'NAMEHOLD_REDIRECT_PORT',
      protocols: ['tcp'],
    },
    {
      host: config.redirectHost,
      port: config.redirectPort !== undefined && servesTls(config) ? config.redirectTlsPort : undefined,
      setting: 'NAMEHOLD_REDIRECT_TLS_PORT',
      protocols: ['tcp'],
    },
    { host: config.metricsHost, port: config.metricsPort, setting: 'NAMEHOLD_METRICS_PORT', protocols: ['tcp'] },
  ];
  // Ports of processes on this data folder, which are joined.
  if (!readNameserver(folder.file('nameserver'))) {
    for (const host of config.dnsHosts)
      wanted.push({ host, port: config.dnsPort, setting: 'NAMEHOLD_DNS_PORT', protocols: ['tcp', 'udp'] });
  }
  if (config.mode === 'sandbox')
    wanted.push({
      host: '127.0.0.1',
      port: config.sandboxSmtpPort,
      setting: 'NAMEHOLD_SANDBOX_SMTP_PORT',
      protocols: ['tcp'],
    });
  if (config.mode === 'sandbox' && !readState(folder.file('sandbox')))
    wanted.push({ host: '127.0.0.1', port: config.sandboxPort, setting: 'NAMEHOLD_SANDBOX_PORT', protocols: ['tcp'] });
  for (const { port, ...rest } of wanted) if (port !== undefined) await requireFreePort({ ...rest, port });
}
