import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { EppReadError, element, parseXml, writeFragment, writeXml, type XmlElement } from '../src/index.ts';
import { NAMESTORE } from '../src/profile.ts';
import { withDocument } from '../src/xml/parse.ts';
import { scanPlain } from '../src/xml/scan.ts';
import { mutate, seeded } from './support/mutate.ts';
import { mutateTree } from './support/mutate-tree.ts';
import { NEAR_PLAIN } from './support/near-plain.ts';
import { walk } from './support/walk.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/', import.meta.url));
const CORPUS = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.xml'))
  .sort()
  .map((file) => readFileSync(FOLDER + file));

const HARD = [
  '<a xmlns="urn:1"><b xmlns=""><c/></b><d xmlns="urn:2"/><e/></a>',
  '<p:a xmlns:p="urn:1" p:x="1" x="2"><p:b xmlns:p="urn:2" p:x="3"/><p:c/></p:a>',
  '<a>one<!-- two -->three<![CDATA[<four> & ]]>five&#x1F600;&lt;&amp;&#13;</a>',
  '<a b="&quot;&#10;&#9;&lt;\'>" c=\'"\'/>',
  '<?xml version="1.0"?><!-- before --><?pi x?><a  ><b ></b ></a ><!-- after -->',
  '<a xml:lang="en">\n  <b/>\r\n</a>',
  '<ä é="ü">ö</ä>',
];

function expectSame(xml: Uint8Array | string): boolean {
  let slow: XmlElement | undefined;
  try {
    slow = withDocument(xml, walk);
  } catch {
    expect(() => parseXml(xml)).toThrow();
    return false;
  }
  if (slow === undefined) return false;
  expect(parseXml(xml)).toEqual(slow);
  return true;
}

describe('the result of parsing', () => {
  test.each(HARD)('equals that of libxml2 node by node: %s', (xml) => {
    expect(expectSame(xml)).toBe(true);
  });

  test('equals that of libxml2 for every fixture and 1,000 damaged, well-formed ones', () => {
    for (const fixture of CORPUS) expect(expectSame(fixture)).toBe(true);
    const random = seeded(3);
    let wellFormed = 0;
    for (let number = 0; number < 1_000; number += 1) {
      const frame = CORPUS[number % CORPUS.length] as Buffer;
      expectSame(mutate(frame, CORPUS, random));
      if (expectSame(writeXml(mutateTree(parseXml(frame), random), {}))) wellFormed += 1;
    }
    expect(wellFormed).toBe(1_000);
  });

  test('equals that of libxml2 for documents close to the simple subset', () => {
    for (const each of NEAR_PLAIN) expectSame(each);
    const random = seeded(5);
    const any = () => NEAR_PLAIN[Math.floor(random() * NEAR_PLAIN.length)] as string;
    const cut = (text: string) => Math.floor(random() * (text.length + 1));
    for (let number = 0; number < 5_000; number += 1) {
      const [into, from] = [any(), any()];
      const [at, start] = [cut(into), cut(from)];
      expectSame(into.slice(0, at) + from.slice(start, start + 1 + cut(from)) + into.slice(at));
    }
  });

  test('equals that of libxml2 at every depth', () => {
    for (const depth of [99, 100, 101, 255, 256, 257, 300]) expectSame('<a>'.repeat(depth) + '</a>'.repeat(depth));
  });
});

test('reads frames of registries without libxml2', () => {
  for (const fixture of CORPUS) expect(scanPlain(fixture.toString('utf8'))).toEqual(withDocument(fixture, walk));
});

test('reads answers for .com without libxml2', () => {
  const answerXml = `<n:namestoreExt xmlns:n="${NAMESTORE.uri}"><n:subProduct>COM</n:subProduct></n:namestoreExt>`;
  expect(scanPlain(answerXml)).toEqual(withDocument(answerXml, walk));
});

test('reads UTF-16', () => {
  const text = '<?xml version="1.0" encoding="UTF-16"?><a>é</a>';
  const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  expect(parseXml(bytes)).toEqual(element('', 'a', undefined, 'é'));
});

describe('unsafe documents', () => {
  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  test.each([
    ['a DTD', '<!DOCTYPE a><a/>'],
    ['a DTD after a comment', '<?xml version="1.0"?><!-- x --> <!DOCTYPE a SYSTEM "http://127.0.0.1:1/"><a/>'],
    ['a DTD in UTF-16', utf16('<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE a><a/>')],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'],
    ['an entity', '<a>&x;</a>'],
    ['an entity in an attribute', '<a b="&x;"/>'],
  ])('are refused: %s', (_name, xml) => {
    let caught: unknown;
    try {
      parseXml(xml);
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(EppReadError);
    expect(caught).toMatchObject({ kind: 'unsafe' });
  });

  test('do not include `<!DOCTYPE` as text', () => {
    expect(parseXml('<a><![CDATA[<!DOCTYPE x>]]></a>')).toEqual(element('', 'a', undefined, '<!DOCTYPE x>'));
  });
});

test('reads a written tree with any namespaces back equal', () => {
  const tree = element(
    'urn:1',
    'a',
    { '{urn:2}x': '1', y: '2', '{http://www.w3.org/XML/1998/namespace}lang': 'en' },
    element('', 'none', undefined, element('urn:1', 'b')),
    element('urn:2', 'c', { '{urn:2}z': '"<&>\n\t\r' }, 'text'),
    element('urn:3', 'd', undefined, element('urn:2', 'e')),
  );
  for (const hints of [{}, { 'urn:1': 'p', 'urn:2': 'q', 'urn:3': 'q' }]) {
    expect(parseXml(writeFragment(tree, hints))).toEqual(tree);
  }
});
