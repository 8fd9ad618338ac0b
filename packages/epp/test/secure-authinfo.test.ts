import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { STRONG_AUTH_INFO_LENGTH, strongAuthInfo } from '../src/index.ts';

test('generates long, printable and distinct auth codes as in RFC 9154', () => {
  const made = Array.from({ length: 200 }, () => strongAuthInfo(randomBytes).pw);
  expect(new Set(made).size).toBe(200);
  for (const pw of made) {
    expect(pw.length).toBeGreaterThanOrEqual(STRONG_AUTH_INFO_LENGTH);
    expect(pw).toMatch(/^[\x21-\x7e]+$/);
    expect(pw).not.toMatch(/[<>&"'\\`]/);
  }
});

test('skips bytes that would bias the choice of characters', () => {
  let draws = 0;
  const { pw } = strongAuthInfo((count) => {
    draws += 1;
    return draws === 1 ? new Uint8Array(count).fill(255) : new Uint8Array(count).fill(0);
  });
  expect(draws).toBe(2);
  expect(pw).toMatch(/^!+$/);
});
