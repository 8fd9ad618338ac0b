import './reflect.ts';
import { createHash, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as Crypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const NOT_BEFORE = new Date('2020-01-01T00:00:00Z');
const NOT_AFTER = new Date('2120-01-01T00:00:00Z');

export type Identity = { readonly cert: string; readonly key: string; readonly pin: string };
export type TestAuthority = { readonly ca: string; issue(name: string): Promise<Identity> };

/** A private CA for one test file. */
export async function testAuthority(): Promise<TestAuthority> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=Test CA',
    notBefore: NOT_BEFORE,
    notAfter: NOT_AFTER,
    signingAlgorithm: ALGORITHM,
    keys: keys as webcrypto.CryptoKeyPair,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  let serial = 2;
  return {
    ca: ca.toString('pem'),
    async issue(name) {
      const own = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: (serial++).toString(16).padStart(2, '0'),
        subject: `CN=${name}`,
        issuer: ca.subject,
        notBefore: NOT_BEFORE,
        notAfter: NOT_AFTER,
        signingAlgorithm: ALGORITHM,
        publicKey: own.publicKey as webcrypto.CryptoKey,
        signingKey: keys.privateKey as webcrypto.CryptoKey,
        extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
      });
      const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey));
      const pin = createHash('sha256').update(Buffer.from(certificate.publicKey.rawData)).digest('base64');
      return { cert: certificate.toString('pem'), key: pem('PRIVATE KEY', pkcs8), pin };
    },
  };
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
