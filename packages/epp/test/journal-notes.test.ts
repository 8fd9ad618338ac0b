import { describe, expect, test } from 'vitest';
import type { Job } from '../src/client/job.ts';
import { JournalWriter } from '../src/client/journal-writer.ts';
import {
  type Answer,
  type EppClientEvent,
  type Journal,
  localConnectionLeases,
  type ObjectRequest,
  rulesFor,
} from '../src/index.ts';
import { TEST_PROFILE } from './support/registry.ts';

const removal: ObjectRequest = { object: 'domain', verb: 'delete', name: 'a.com' };
const jobOf = (request: ObjectRequest) => ({ request, clTRID: 'C-1' }) as Job<unknown>;
const done = (more: object = {}) =>
  ({
    kind: 'done',
    code: 1000,
    svTRID: 'SV-1',
    frame: '<epp/>',
    results: [],
    ext: {},
    ...more,
  }) as unknown as Answer<unknown>;

function watched(journal?: Partial<Journal>) {
  const events: EppClientEvent[] = [];
  const whole = journal && { prepared: async () => {}, ...journal };
  return { events, notes: new JournalWriter(whole, (event) => events.push(event)) };
}

describe('journal notes', () => {
  test('contain code, svTRID and frame of an answer', async () => {
    const notesSeen: unknown[] = [];
    const { notes, events } = watched({ answered: (...given) => void notesSeen.push(given) });
    await notes.answered(jobOf(removal), done());
    expect(notesSeen).toEqual([['C-1', { code: 1000, svTRID: 'SV-1', frame: '<epp/>' }]]);
    expect(events).toEqual([]);
  });

  test('contain the reason of a lost answer, with an event for the operator', async () => {
    const notesSeen: unknown[] = [];
    const { notes, events } = watched({
      answered: () => void notesSeen.push('answered'),
      unknown: (...given) => void notesSeen.push(given),
    });
    const lost = { kind: 'unknown', clTRID: 'C-1', why: 'timeout', text: 'no answer' } as const;
    await notes.answered(jobOf(removal), lost);
    expect(notesSeen).toEqual([['C-1', 'timeout', 'no answer']]);
    expect(events).toEqual([{ type: 'unknown-outcome', clTRID: 'C-1', why: 'timeout' }]);
  });

  test('emits an event with the name of a note that fails, at once or later', async () => {
    const { notes, events } = watched({
      sent: () => {
        throw new Error('disk full');
      },
      unsent: () => Promise.reject('no error at all'),
    });
    notes.sent('C-1');
    await notes.unsent('C-1', 'gone');
    expect(events).toEqual([
      { type: 'journal-fault', clTRID: 'C-1', note: 'sent', text: 'disk full' },
      { type: 'journal-fault', clTRID: 'C-1', note: 'unsent', text: 'unknown fault' },
    ]);
  });

  test('are skipped without a journal or without the method', async () => {
    for (const { notes, events } of [watched(), watched({})]) {
      notes.sent('C-1');
      await notes.unsent('C-1', 'gone');
      await notes.answered(jobOf(removal), done());
      expect(events).toEqual([]);
    }
  });
});

describe('events of an answer', () => {
  test('report waiting messages, except to a caller that reads them', async () => {
    const { notes, events } = watched();
    await notes.answered(jobOf(removal), done({ msgQ: { count: 2, id: '1' } }));
    expect(events).toEqual([{ type: 'message-waiting', count: 2 }]);
    await notes.answered(jobOf({ object: 'poll', verb: 'request' }), done({ msgQ: { count: 2, id: '1' } }));
    expect(events).toHaveLength(1);
  });

  test('report namespaces that we should have announced', async () => {
    const { notes, events } = watched();
    const extValues = [{ value: { ns: 'urn:x' }, reason: 'urn:x not in login services' }];
    await notes.answered(jobOf(removal), done({ results: [{ code: 1000, extValues }] }));
    expect(events).toEqual([{ type: 'unhandled-namespaces', uris: ['urn:x'] }]);
  });
});

test('grants leases up to the limit, each once, and again after its release', async () => {
  const slots = localConnectionLeases(2);
  const [first, second, third] = [await slots.acquire(), await slots.acquire(), await slots.acquire()];
  expect([first?.id, second?.id, third]).toEqual(['0', '1', null]);
  await first?.release();
  await first?.release();
  expect((await slots.acquire())?.id).toBe('0');
  expect(await slots.acquire()).toBeNull();
  expect(await localConnectionLeases(0).acquire()).toBeNull();
});

test('applies the rules of the longest suffix in the profile', () => {
  const tlds = { id: { minNameServers: 2 }, 'co.id': { minNameServers: 3, maxPeriodYears: 2 } };
  const profile = { ...TEST_PROFILE, tlds };
  expect(rulesFor(profile, 'a.co.id')).toEqual({ ...profile.rules, minNameServers: 3, maxPeriodYears: 2 });
  expect(rulesFor(profile, 'A.B.CO.ID').minNameServers).toBe(3);
  expect(rulesFor(profile, 'co.id')).toEqual({ ...profile.rules, minNameServers: 2 });
  expect(rulesFor(profile, 'a.com')).toBe(profile.rules);
  expect(rulesFor(profile, 'id')).toBe(profile.rules);
});
