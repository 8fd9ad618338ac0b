import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadLibxml2 } from '../../packages/epp/src/index.ts';
import { mutate, seeded } from '../../packages/epp/test/support/mutate.ts';
import {
  type OpsData,
  type OpsMap,
  readEnvelope,
  UnreadableEnvelope,
  writeEnvelope,
} from '../../packages/server/src/registries/upstream/dialects/opensrs/envelope.ts';
import * as simulated from './simulators/opensrs/envelope.ts';

beforeAll(async () => {
  await loadLibxml2();
});

const answer: OpsMap = {
  protocol: 'XCP',
  action: 'REPLY',
  is_success: '1',
  attributes: { list: ['a', { b: '<&>"\'' }], empty: '', 'registration expiration date': '2027-01-01 00:00:00' },
};
const head = '<?xml version="1.0" encoding="UTF-8" standalone="no" ?>\n';
const type = '<!DOCTYPE OPS_envelope SYSTEM "ops.dtd">\n';
const around = (data: string) =>
  `<OPS_envelope><header><version>0.9</version></header><body><data_block>${data}</data_block></body></OPS_envelope>`;
const map = (items: string) => around(`<dt_assoc>${items}</dt_assoc>`);

describe('an OPS envelope', () => {
  test('has the form that the simulator reads, and reads what it writes', () => {
    expect(simulated.readEnvelope(writeEnvelope(answer))).toEqual(answer);
    expect(readEnvelope(simulated.writeEnvelope(answer as simulated.OpsMap))).toEqual(answer);
  });

  test('keeps every text that XML can hold', () => {
    const text = fc.string({ unit: 'grapheme' }).map((each) => each.replaceAll(/[^\u0020-\uD7FF]/g, ''));
    const key = text.filter((each) => each !== '');
    const { data } = fc.letrec<{ data: OpsData }>((tie) => ({
      data: fc.oneof(
        { maxDepth: 4 },
        text.map((each) => each.trim()),
        fc.array(tie('data'), { maxLength: 3 }),
        fc.dictionary(key, tie('data'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(data, (value) => {
        expect(readEnvelope(writeEnvelope({ value }))).toEqual({ value });
      }),
    );
  });

  test.each([
    ['no prolog', map('')],
    ['a declaration', `${head}${map('')}`],
    ['single quotes', `<?xml version='1.0' encoding='UTF-8'?><!DOCTYPE OPS_envelope SYSTEM 'ops.dtd'>${map('')}`],
    ['dt_scalar', `${head}${type}${around('<dt_assoc><item key="a"><dt_scalar>1</dt_scalar></item></dt_assoc>')}`],
  ])('is read with %s', (_name, xml) => {
    expect(Object.keys(readEnvelope(xml)).length).toBeLessThan(2);
  });

  test('gives a key no meaning of its own', () => {
    const read = readEnvelope(map('<item key="__proto__"><dt_assoc><item key="a">1</item></dt_assoc></item>'));
    expect(Object.keys(read)).toEqual(['__proto__']);
    expect((read as { a?: unknown }).a).toBeUndefined();
  });

  const deep = (levels: number) => map('<item key="a"><dt_assoc>'.repeat(levels) + '</dt_assoc></item>'.repeat(levels));
  test.each([
    ['nothing', ''],
    ['a page', '<!DOCTYPE html><html><body>Maintenance</body></html>'],
    ['another document type', `${head}<!DOCTYPE OPS_envelope SYSTEM "http://attacker.example/ops.dtd">${map('')}`],
    ['an internal subset', `${head}<!DOCTYPE OPS_envelope SYSTEM "ops.dtd" [<!ENTITY a "b">]>${map('')}`],
    ['a second document type', `${head}${type}${type}${map('')}`],
    ['an entity', map('<item key="a">&secret;</item>')],
    ['another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${map('')}`],
    ['another version', map('').replace('0.9', '1.0')],
    ['no map', around('text')],
    ['two values', around('<dt_assoc/><dt_assoc/>')],
    ['an unknown type', around('<dt_code/>')],
    ['text beside items', map('text<item key="a">1</item>')],
    ['something else than an item', map('<entry key="a">1</entry>')],
    ['a key twice', map('<item key="a">1</item><item key="a">2</item>')],
    ['no key', map('<item>1</item>')],
    ['too many levels', deep(13)],
    ['far too many levels', deep(5_000)],
    ['too many items', map(Array.from({ length: 5_001 }, (_, at) => `<item key="${at}"/>`).join(''))],
    ['too many tags', map('<item/>'.repeat(20_000))],
    ['a cut end', writeEnvelope(answer).slice(0, -20)],
  ])('is refused with %s', (_name, xml) => {
    expect(() => readEnvelope(xml)).toThrow(UnreadableEnvelope);
  });

  test('is read or refused after any damage, and nothing else happens', () => {
    const random = seeded(35);
    const whole = Buffer.from(simulated.writeEnvelope(answer as simulated.OpsMap));
    let refused = 0;
    for (let round = 0; round < 3_000; round += 1) {
      const damaged = Buffer.from(mutate(whole, [whole], random)).toString('utf8');
      try {
        readEnvelope(damaged);
      } catch (error) {
        expect(error, damaged).toBeInstanceOf(UnreadableEnvelope);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(1_000);
  });
});
