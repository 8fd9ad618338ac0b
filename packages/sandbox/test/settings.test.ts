import { describe, expect, test } from 'vitest';
import { readSettings, SettingError } from '../src/settings.ts';

const needed = { SANDBOX_DIR: '/sandbox', SANDBOX_DATABASE_URL: 'postgresql://127.0.0.1/sandbox' };
const seedFrom = (env: Readonly<Record<string, string>>) => readSettings({ ...needed, ...env }).chaosSeed;

describe('SANDBOX_CHAOS', () => {
  test('sets the seed of the faults of chaos mode, and disables them if unset or empty', () => {
    expect(seedFrom({ SANDBOX_CHAOS: '7' })).toBe(7);
    expect(seedFrom({})).toBeUndefined();
    expect(seedFrom({ SANDBOX_CHAOS: '', SANDBOX_MISCHIEF: '8' })).toBeUndefined();
  });

  test('is read from its former name SANDBOX_MISCHIEF too', () => {
    expect(seedFrom({ SANDBOX_MISCHIEF: '8' })).toBe(8);
    expect(seedFrom({ SANDBOX_CHAOS: '7', SANDBOX_MISCHIEF: '8' })).toBe(7);
  });

  test('refuses a value that is not a seed and names the setting', () => {
    expect(() => seedFrom({ SANDBOX_CHAOS: 'x' })).toThrow(
      new SettingError('SANDBOX_CHAOS must be a seed from 0 to 4294967295, not "x"'),
    );
  });
});
