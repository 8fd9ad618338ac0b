import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { masterKeyBytes, openVault } from '../src/vault.ts';

const key = Buffer.alloc(masterKeyBytes, 7);
const vault = openVault(key);
const runs = { seed: 3, numRuns: 200 };

describe('ciphertext', () => {
  test('decrypts with its context, whatever the content', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, context) => {
        expect(vault.open(vault.encrypt(plain, context), context)).toBe(plain);
      }),
      runs,
    ));

  test('is shorter when compressed, and each form is decrypted only as itself', () => {
    const frame = '<domain:name>example.com</domain:name><domain:hostObj>ns1.example.net</domain:hostObj>'.repeat(8);
    const packed = vault.encryptCompressed(frame, 'command:1');
    expect(packed.length).toBeLessThan(vault.encrypt(frame, 'command:1').length / 2);
    expect(vault.open(packed, 'command:1')).toBe(frame);
    expect(() => vault.open(packed, 'command:2')).toThrow();
    expect(() => vault.open(packed.replace('v2.', 'v1.'), 'command:1')).toThrow();
    expect(() => vault.open(vault.encrypt(frame, 'command:1').replace('v1.', 'v2.'), 'command:1')).toThrow();
    const large = randomBytes(100_000).toString('hex');
    expect(vault.open(vault.encryptCompressed(large, 'answer:1'), 'answer:1')).toBe(large);
  });

  test('is refused in another row', () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (plain, context, other) => {
        fc.pre(context !== other);
        const sealed = vault.encrypt(plain, context);
        expect(() => vault.open(sealed, other)).toThrow();
      }),
      runs,
    ));

  test('is refused with any one bit changed', () => {
    const sealed = vault.encrypt('EPP password', 'registry:a');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => vault.open(`v1.${changed.toString('base64url')}`, 'registry:a')).toThrow();
    }
  });

  test('is refused when truncated anywhere, also to a tag that could be guessed', () => {
    const bytes = Buffer.from(vault.encrypt('', 'registry:a').slice(3), 'base64url');
    for (let length = 0; length < bytes.length; length++) {
      expect(() => vault.open(`v1.${bytes.subarray(0, length).toString('base64url')}`, 'registry:a')).toThrow();
    }
  });

  test('differs each time and does not contain the plain text', () => {
    const [one, two] = [vault.encrypt('secret word', 'a'), vault.encrypt('secret word', 'a')];
    expect(one).not.toBe(two);
    expect(Buffer.from(one.slice(3), 'base64url').toString('latin1')).not.toContain('secret');
  });

  test('is refused with another key or another version', () => {
    const sealed = vault.encrypt('x', 'a');
    expect(() => openVault(randomBytes(masterKeyBytes)).open(sealed, 'a')).toThrow();
    expect(() => vault.open(sealed.replace('v1.', 'v3.'), 'a')).toThrow(/unknown version/);
    expect(() => vault.open('', 'a')).toThrow();
  });

  test.each([0, 16, 31, 33, 64])('is refused a master key of %d bytes', (bytes) =>
    expect(() => openVault(Buffer.alloc(bytes))).toThrow(/32 bytes/),
  );
});

describe('fingerprints', () => {
  test('are equal for the same text and key, and useless without the key', () => {
    expect(vault.fingerprint('key')).toBe(openVault(key).fingerprint('key'));
    expect(vault.fingerprint('key')).not.toBe(vault.fingerprint('kez'));
    expect(vault.fingerprint('key')).not.toBe(openVault(Buffer.alloc(masterKeyBytes, 8)).fingerprint('key'));
    expect(vault.fingerprint('key')).toMatch(/^[0-9a-f]{64}$/);
  });
});
