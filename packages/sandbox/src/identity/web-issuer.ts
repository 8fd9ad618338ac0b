import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@namehold/base';
import { writePrivateFile } from './private-file.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const hours = 3_600_000;
const authorityMs = 10 * 365 * 24 * hours;
/** Browsers accept no longer validity. */
const certificateMs = 397 * 24 * hours;

/** A CA for web servers of this installation; clients that should trust it use `caFile`. */
interface WebIssuer {
  readonly caFile: string;
  /** A certificate for the public key of a request (PKCS #10, DER), as PEM. */
  issue(names: readonly string[], request: Uint8Array): Promise<string>;
}

/** Made at the first start and kept. */
export async function openWebIssuer(folder: string): Promise<WebIssuer> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const x509 = await import('@peculiar/x509');
  const [caFile, bundle] = [join(folder, 'web-ca.crt'), join(folder, 'web-ca.pem')];
  const newKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const serial = () => `01${randomBytes(16).toString('hex')}`;
  const pemOf = async (key: CryptoKey) =>
    x509.PemConverter.encode(Buffer.from(await crypto.subtle.exportKey('pkcs8', key)), 'PRIVATE KEY');
  const validity = (ms: number) => {
    const now = systemClock.now().getTime();
    return { notBefore: new Date(now - hours), notAfter: new Date(now + ms), signingAlgorithm: algorithm };
  };
  if (!existsSync(bundle)) {
    const keys = await newKeys();
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      ...validity(authorityMs),
      serialNumber: serial(),
      name: 'CN=Namehold Sandbox Web CA',
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(true, 0, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    });
    keepFirst(bundle, `${made.toString('pem')}\n${await pemOf(keys.privateKey)}\n`);
  }
  const kept = readFileSync(bundle, 'utf8');
  const [certificatePart = '', keyPart = ''] = kept.split(/(?=-----BEGIN PRIVATE KEY-----)/);
  writePrivateFile(caFile, certificatePart);
  const authority = new x509.X509Certificate(certificatePart);
  const [pkcs8] = x509.PemConverter.decode(keyPart);
  const signingKey = await crypto.subtle.importKey('pkcs8', pkcs8!, algorithm, false, ['sign']);
  const authorityKey = await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey);
  return {
    caFile,
    async issue(names, request) {
      const { publicKey } = new x509.Pkcs10CertificateRequest(Uint8Array.from(request));
      const certificate = await x509.X509CertificateGenerator.create({
        ...validity(certificateMs),
        serialNumber: serial(),
        subject: 'CN=Namehold Sandbox',
        issuer: authority.subject,
        publicKey,
        signingKey,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          authorityKey,
          new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))),
        ],
      });
      return `${certificate.toString('pem')}\n`;
    },
  };
}

/** Of two processes that start at the same time one makes the CA, and both use it. */
function keepFirst(path: string, text: string): void {
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  writePrivateFile(draft, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
