import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@namehold/base';
import { writePrivateFile } from './private-file.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const validityYears = 10;
const serialBytes = 16;

export interface CertificateFiles {
  readonly caFile: string;
  readonly serverCertFile: string;
  readonly serverKeyFile: string;
  clientCertFile(clientId: string): string;
  clientKeyFile(clientId: string): string;
}

const certificateFiles = (folder: string): CertificateFiles => ({
  caFile: join(folder, 'ca.crt'),
  serverCertFile: join(folder, 'server.crt'),
  serverKeyFile: join(folder, 'server.key'),
  clientCertFile: (clientId) => join(folder, `${clientId}.crt`),
  clientKeyFile: (clientId) => join(folder, `${clientId}.key`),
});

/** A private CA, the server's certificate and one for each client; made at the first start and kept. */
export async function makeCertificates(folder: string, clientIds: readonly string[]): Promise<CertificateFiles> {
  const files = certificateFiles(folder);
  const wanted = [files.caFile, files.serverCertFile, ...clientIds.map(files.clientCertFile)];
  if (wanted.every((file) => existsSync(file))) return files;
  const x509 = await import('@peculiar/x509');
  const now = systemClock.now();
  const notAfter = new Date(now);
  notAfter.setUTCFullYear(now.getUTCFullYear() + validityYears);
  // An hour in the past, for clients whose clock is slow.
  const validity = { notBefore: new Date(now.getTime() - 3_600_000), notAfter, signingAlgorithm: algorithm };
  const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const serial = () => `01${randomBytes(serialBytes).toString('hex')}`;
  const authorityKeys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: serial(),
    name: 'CN=Namehold Sandbox Registry CA',
    keys: authorityKeys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(authorityKeys.publicKey),
    ],
  });
  const issue = async (name: string, certFile: string, keyFile: string, usage: string, hosts: readonly HostEntry[]) => {
    const keys = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity,
      serialNumber: serial(),
      subject: `CN=${name}`,
      issuer: authority.subject,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        await x509.AuthorityKeyIdentifierExtension.create(authorityKeys.publicKey),
        ...(hosts.length > 0 ? [new x509.SubjectAlternativeNameExtension([...hosts])] : []),
      ],
    });
    const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
    writePrivateFile(keyFile, x509.PemConverter.encode(pkcs8, 'PRIVATE KEY'));
    writePrivateFile(certFile, certificate.toString('pem'));
  };
  const { serverAuth, clientAuth } = x509.ExtendedKeyUsage;
  await issue('localhost', files.serverCertFile, files.serverKeyFile, serverAuth, serverNames);
  for (const clientId of clientIds) {
    await issue(clientId, files.clientCertFile(clientId), files.clientKeyFile(clientId), clientAuth, []);
  }
  writePrivateFile(files.caFile, authority.toString('pem'));
  return files;
}

type HostEntry = { readonly type: 'dns' | 'ip'; readonly value: string };
const serverNames: readonly HostEntry[] = [
  { type: 'dns', value: 'localhost' },
  { type: 'ip', value: '127.0.0.1' },
  { type: 'ip', value: '::1' },
];

export const readPem = (file: string): string => readFileSync(file, 'utf8');
