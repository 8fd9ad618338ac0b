import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

/** One element of DER (X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length = content.length;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const octets = length < 256 ? [length] : [length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, 128 + octets.length, ...octets]), content]);
}

const sequence = 0x30;
const setOf = 0x31;
const octetString = 0x04;
const bitString = 0x03;
const attributes = 0xa0;
/** `dNSName` of a GeneralName. */
const dnsName = 0x82;

const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const extensionRequest = objectId('2a864886f70d01090e');
const subjectAltName = objectId('551d11');
const ecdsaWithSha256 = objectId('2a8648ce3d040302');
const version = Buffer.from([0x02, 0x01, 0x00]);

/** A certificate signing request (RFC 2986) in DER, with an empty subject and the names as alternatives. */
export function certificateRequest(names: readonly string[], keyPem: string): Buffer {
  const key = createPrivateKey(keyPem);
  const alternatives = der(sequence, ...names.map((name) => der(dnsName, Buffer.from(name, 'ascii'))));
  const extensions = der(sequence, der(sequence, subjectAltName, der(octetString, alternatives)));
  const info = der(
    sequence,
    version,
    der(sequence),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der(attributes, der(sequence, extensionRequest, der(setOf, extensions))),
  );
  const signature = sign('sha256', info, key);
  return der(sequence, info, der(sequence, ecdsaWithSha256), der(bitString, Buffer.from([0]), signature));
}

/** ECDSA P-256, PEM. */
export function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
