import { dsOfKey } from '@namehold/dns';
import { expect, test } from 'vitest';

test('computes the DS record of a key as in the examples of the RFCs', () => {
  // RFC 8080 6.1
  const ed25519 = Buffer.from('l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=', 'base64');
  expect(dsOfKey('example.com.', { flags: 257, protocol: 3, algorithm: 15, publicKey: ed25519 })).toEqual({
    keyTag: 3613,
    digestType: 2,
    digest: '3AA5AB37EFCE57F737FC1627013FEE07BDF241BD10F3B1964AB55C78E79A304B',
  });
  // RFC 6605 6.1
  const p256 = Buffer.from(
    'GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==',
    'base64',
  );
  expect(dsOfKey('example.net.', { flags: 257, protocol: 3, algorithm: 13, publicKey: p256 })).toEqual({
    keyTag: 55648,
    digestType: 2,
    digest: 'B4C8C1FE2E7477127B27115656AD6256F424625BF5C1E2770CE6D6E37DF61D17',
  });
});
