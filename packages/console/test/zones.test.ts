import { describe, expect, test } from 'vitest';
import { locale } from '../src/messages/locale.ts';
import {
  bodyOf,
  cachedSeconds,
  changesOf,
  countChanges,
  differing,
  editsBetween,
  lossesOf,
  merge,
} from '../src/zones/changes.ts';
import { asFile, checkDraft, checkSet, fromFile } from '../src/zones/check.ts';
import {
  addRecord,
  type Edits,
  indexed,
  moveRow,
  ownerOf,
  type RRsetText,
  removeRow,
  restoreRow,
  rowsOf,
  setText,
  setTtl,
} from '../src/zones/draft.ts';
import { isLikelySecret, readPaste } from '../src/zones/paste.ts';
import { problemText } from '../src/zones/problem-text.ts';
import { dmarcText, httpsText, readDkim, spfLookups, spfText, srvOwner } from '../src/zones/record-text.ts';
import { isDoubled } from '../src/zones/sentence.ts';
import { wizardForms } from '../src/zones/wizard-forms.ts';

const origin = 'example.com.';
const set = (name: string, type: string, records: string[], ttl = 3_600): RRsetText => ({ name, type, ttl, records });
const base: readonly RRsetText[] = [
  set(origin, 'NS', ['ns1.example.net.', 'ns2.example.net.'], 86_400),
  set(origin, 'A', ['192.0.2.1']),
  set(origin, 'MX', ['10 mail.example.net.']),
  set(`www.${origin}`, 'A', ['192.0.2.1', '192.0.2.2'], 300),
  { ...set(`_acme-challenge.${origin}`, 'TXT', ['"x"']), managed_by: 'acme' },
];
const known = indexed(base);
const rowOf = (edits: Edits, text: string, name = `www.${origin}`) =>
  rowsOf(base, edits).find((row) => row.text === text && row.set.name === name)!;

describe('zone draft', () => {
  test('marks an edited record as one change, and none after it is edited back', () => {
    const edits = setText(known, {}, rowOf({}, '192.0.2.2'), '192.0.2.9');
    expect(
      rowsOf(base, edits)
        .filter((row) => row.state !== 'same')
        .map(({ text, state }) => [text, state]),
    ).toEqual([['192.0.2.9', 'changed']]);
    expect(countChanges(changesOf(base, edits))).toEqual({ changed: 1, added: 0, deleted: 0 });
    expect(setText(known, edits, rowOf(edits, '192.0.2.9'), '192.0.2.2')).toEqual({});
  });

  test('keeps deleted records visible and restores them in place', () => {
    const edits = removeRow(known, {}, rowOf({}, '192.0.2.2'));
    const gone = rowOf(edits, '192.0.2.2');
    expect(gone.state).toBe('deleted');
    expect(bodyOf(edits)).toEqual([{ name: 'www.example.com.', type: 'A', ttl: 300, records: ['192.0.2.1'] }]);
    expect(restoreRow(known, edits, gone)).toEqual({});
  });

  test('adds a record to an existing RRset with its TTL, or to a new RRset', () => {
    const joined = addRecord(known, {}, { name: `www.${origin}`, type: 'A', text: '192.0.2.3' });
    expect(joined['www.example.com. A']).toMatchObject({ ttl: 300, records: ['192.0.2.1', '192.0.2.2', '192.0.2.3'] });
    const moved = moveRow(known, {}, rowOf({}, '192.0.2.2'), { name: `new.${origin}`, type: 'A' });
    expect(moved['www.example.com. A']!.records).toEqual(['192.0.2.1']);
    expect(moved['new.example.com. A']).toMatchObject({ ttl: 300, records: ['192.0.2.2'] });
  });

  test('sets the TTL of the whole RRset', () => {
    const edits = setTtl(known, {}, base[3]!, 60);
    expect(rowsOf(base, edits).filter((row) => row.state === 'changed')).toHaveLength(2);
    expect(cachedSeconds(changesOf(base, edits))).toBe(300);
  });

  test('reads relative, full and apex names', () => {
    expect(ownerOf('www', origin)).toEqual({ name: 'www.example.com.' });
    expect(ownerOf(' WWW.example.com ', origin)).toEqual({ name: 'www.example.com.' });
    expect(ownerOf('example.com', origin)).toEqual({ name: origin });
    expect(ownerOf('', origin)).toEqual({ name: origin });
    expect(ownerOf('a b', origin)).toHaveProperty('reason');
    expect(isDoubled('www.example.org.example.com.', origin)).toBe(true);
    expect(isDoubled('a.b.example.com.', origin)).toBe(false);
  });
});

describe('checkDraft', () => {
  test('reports the field and the record of an error', () => {
    const built = checkSet(set(origin, 'MX', ['10 mail.example.net.', '10 192.0.2.1']), origin);
    expect(built).toMatchObject({ errors: [{ key: 'example.com. MX', place: 1, field: 'exchange' }] });
  });

  test('refuses an alias beside other records and reports only edited RRsets', () => {
    const edits = addRecord(known, {}, { name: `www.${origin}`, type: 'CNAME', text: 'other.example.net.' });
    const result = checkDraft(base, edits, origin);
    expect(result.errors.length).toBeGreaterThan(0);
    expect(result.errors.every((problem) => problem.key.startsWith('www.example.com.'))).toBe(true);
  });

  test('reads the same draft from text and table', () => {
    const edits = addRecord(known, {}, { name: `a.${origin}`, type: 'TXT', text: '"hello"' });
    const file = asFile(base, edits, origin);
    expect(file).toContain('a\tIN\tTXT\t"hello"');
    const back = fromFile(base, file, origin);
    expect(back.errors).toEqual([]);
    expect(changesOf(base, back.edits)).toHaveLength(1);
    const less = fromFile(base, file.replace(/^.*MX.*\n/m, ''), origin);
    expect(less.edits['example.com. MX']!.records).toEqual([]);
    expect(less.edits['_acme-challenge.example.com. TXT']).toBeUndefined();
  });
});

describe('lossesOf', () => {
  test('reports the loss of email, website, nameservers or a large part of the zone', () => {
    const without = (type: string): Edits => ({ [`${origin} ${type}`]: set(origin, type, []) });
    expect(lossesOf(base, without('MX'), origin)).toEqual(['mail']);
    expect(lossesOf(base, without('A'), origin)).toEqual(['website']);
    expect(lossesOf(base, { [`${origin} NS`]: set(origin, 'NS', ['ns1.example.net.'], 86_400) }, origin)).toEqual([
      'nameservers',
    ]);
    expect(lossesOf(base, { ...without('MX'), [`www.${origin} A`]: set(`www.${origin}`, 'A', []) }, origin)).toEqual([
      'mail',
      'much',
    ]);
    expect(lossesOf(base, setText(known, {}, rowOf({}, '192.0.2.1', origin), '192.0.2.7'), origin)).toEqual([]);
  });
});

describe('merge', () => {
  const theirs = base.map((each) => (each.type === 'MX' ? { ...each, records: ['5 their.example.net.'] } : each));
  test('merges changes of one side and reports changes of both as conflicts', () => {
    const mine = addRecord(
      known,
      setText(known, {}, rowOf({}, '10 mail.example.net.', origin), '20 mine.example.net.'),
      {
        name: `new.${origin}`,
        type: 'A',
        text: '192.0.2.8',
      },
    );
    const merged = merge(base, theirs, mine);
    expect(Object.keys(merged.edits)).toEqual(['new.example.com. A']);
    expect(merged.conflicts).toMatchObject([
      {
        key: 'example.com. MX',
        base: { records: ['10 mail.example.net.'] },
        theirs: { records: ['5 their.example.net.'] },
        mine: { records: ['20 mine.example.net.'] },
      },
    ]);
  });
  test('treats the same change on both sides as no edit', () => {
    const mine = setText(known, {}, rowOf({}, '10 mail.example.net.', origin), '5 their.example.net.');
    expect(merge(base, theirs, mine)).toEqual({ edits: {}, conflicts: [] });
  });
  test('editsBetween returns the edits, and differing the changed characters', () => {
    expect(Object.keys(editsBetween(theirs, base))).toEqual(['example.com. MX']);
    expect(differing('192.0.2.1', '192.0.2.18')).toEqual({ head: '192.0.2.1', a: '', b: '8', tail: '' });
  });
});

describe('readPaste', () => {
  const found = (text: string) => {
    const { kind, records, unread } = readPaste(text, origin);
    return { kind, records: records.map(({ name, type, text: data }) => `${name} ${type} ${data}`), unread };
  };
  test('reads a zone file and reports unread lines', () => {
    const read = found('$TTL 300\nwww IN A 192.0.2.5\nbad IN A 192.0.2.555\n@ IN SOA a. b. 1 2 3 4 5\n');
    expect(read.kind).toBe('file');
    expect(read.records).toEqual(['www.example.com. A 192.0.2.5']);
    expect(read.unread).toMatchObject([{ line: 3, text: 'bad IN A 192.0.2.555' }]);
  });
  test('reads only the answer section of dig output', () => {
    const dig =
      '; <<>> DiG 9.18 <<>> www.example.com\n;; QUESTION SECTION:\n;www.example.com.\t\tIN\tA\n\n;; ANSWER SECTION:\nwww.example.com.\t60\tIN\tA\t192.0.2.7\n\n;; AUTHORITY SECTION:\nexample.com.\t60\tIN\tNS\tns.example.net.\n;; Query time: 1 msec\n';
    expect(found(dig)).toMatchObject({ kind: 'dig', records: ['www.example.com. A 192.0.2.7'], unread: [] });
  });
  test('reads a table with and without a header', () => {
    expect(
      found('Type,Name,Content,Priority,TTL\nMX,@,mail.example.net,5,3600\nTXT,@,v=spf1 -all,,\nA,www,nonsense,,'),
    ).toMatchObject({
      kind: 'table',
      records: ['example.com. MX 5 mail.example.net.', 'example.com. TXT "v=spf1 -all"'],
      unread: [{ line: 4 }],
    });
    expect(found('www\tA\t3600\t192.0.2.3').records).toEqual(['www.example.com. A 192.0.2.3']);
  });
  test('reads the text of a help page, in one sentence or by line', () => {
    expect(found('Add a TXT record named _verify with the value "token-123 abc".').records).toEqual([
      '_verify.example.com. TXT "token-123 abc"',
    ]);
    expect(found('Type: CNAME\nHost: shop\nPoints to: shops.example.net\nTTL: 3600').records).toEqual([
      'shop.example.com. CNAME shops.example.net.',
    ]);
  });
  test('reads a single BIND line and empty text', () => {
    expect(found('www A 192.0.2.44').records).toEqual(['www.example.com. A 192.0.2.44']);
    expect(found('hello there')).toMatchObject({ records: [], unread: [{ line: 1 }] });
  });
  test('reads names with dots like the form for a new record, up to a $ORIGIN', () => {
    expect(found('blog CNAME ghs.example.net\nwww.example.com IN A 192.0.2.1\n@ IN MX 10 mail').records).toEqual([
      'blog.example.com. CNAME ghs.example.net.',
      'www.example.com. A 192.0.2.1',
      'example.com. MX 10 mail.example.com.',
    ]);
    expect(found('$ORIGIN sub.example.com.\nblog IN CNAME a.b\n').records).toEqual([
      'blog.sub.example.com. CNAME a.b.sub.example.com.',
    ]);
  });
  test('detects secrets', () => {
    expect(isLikelySecret('TXT', '"-----BEGIN RSA PRIVATE KEY-----MII"')).toBe(true);
    expect(isLikelySecret('TXT', '"v=spf1 -all"')).toBe(false);
    expect(isLikelySecret('TXT', `"v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0B${'A'.repeat(350)}"`)).toBe(false);
  });
});

describe('problemText', () => {
  const wrong = (type: string, content: string) => {
    const built = checkSet({ name: origin, type, ttl: 300, records: [content] }, origin);
    return 'errors' in built ? problemText(built.errors[0]!, type) : undefined;
  };
  test.each([
    ['MX', 'mail.example.net', 'Priority: put a number first. Example: 10 mail.example.com'],
    ['SRV', 'foo', 'Priority: put a number first. Example: 10 5 5060 sip.example.com'],
    [
      'MX',
      '10 192.0.2.5',
      'Mail server: "192.0.2.5" is an IP address; enter a host name. Example: 10 mail.example.com',
    ],
    ['MX', '10', 'Mail server is missing. Example: 10 mail.example.com'],
    ['A', '300.1.2.3', '"300.1.2.3" is not an IPv4 address. Example: 192.0.2.1'],
    ['AAAA', '192.0.2.1', '"192.0.2.1" is an IPv4 address; use type A. Example: 2001:db8::1'],
  ])('names the value and an example: %s %s', (type, content, text) => expect(wrong(type, content)).toBe(text));

  test('shows the errors of a zone and of a name without a label', () => {
    const edits = { 'example.com. CNAME': { name: origin, type: 'CNAME', ttl: 300, records: ['a.example.net.'] } };
    const base = [
      { name: origin, type: 'SOA', ttl: 300, records: ['ns1.example.net. h.example.net. 1 2 3 4 5'] },
      { name: origin, type: 'NS', ttl: 300, records: ['ns1.example.net.', 'ns2.example.net.'] },
    ];
    expect(problemText(checkDraft(base, edits, origin).errors[0]!, 'CNAME')).toBe(
      'A CNAME is not allowed at the domain itself (@). Use A and AAAA records, or an HTTPS record.',
    );
    const owner = ownerOf('a b', origin);
    expect('reason' in owner && problemText({ field: 'name', reason: owner.reason })).toBe(
      'The name must not contain a space or control character.',
    );
  });

  test('is translated', () => {
    locale.value = 'id';
    expect(wrong('A', '300.1.2.3')).toBe('"300.1.2.3" bukan alamat IPv4. Contoh: 192.0.2.1');
    locale.value = 'en';
  });
});

test('builds common records from the wizard forms', () => {
  const spf = spfText({
    includes: ['_spf.example.net'],
    addresses: ['192.0.2.0/24', '2001:db8::/32'],
    usesMx: true,
    usesA: false,
    end: '-all',
  });
  expect(spf).toBe('"v=spf1 mx ip4:192.0.2.0/24 ip6:2001:db8::/32 include:_spf.example.net -all"');
  expect(spfLookups(spf)).toBe(2);
  expect(dmarcText({ policy: 'quarantine', reports: 'mailto:d@example.com', percent: 50 })).toBe(
    '"v=DMARC1; p=quarantine; pct=50; rua=mailto:d@example.com"',
  );
  const key = 'A'.repeat(392);
  expect(readDkim(`"v=DKIM1; k=rsa; " "p=${key}"`)).toMatchObject({ kind: 'rsa', bits: 2048 });
  expect(readDkim('no key')).toBeUndefined();
  expect(srvOwner('sip', 'tcp', '@')).toBe('_sip._tcp');
  expect(httpsText(1, '', ['h2', 'h3'])).toBe('1 . alpn=h2,h3');
  const { spf: spfForm, tlsa, caa, mx } = wizardForms;
  const typed = { name: '@', mx: 'yes', a: '', includes: '_spf.example.net', addresses: '', end: '~all' };
  expect(spfForm.write(typed)).toMatchObject({ type: 'TXT', text: '"v=spf1 mx include:_spf.example.net ~all"' });
  expect(tlsa.write({ port: '443', usage: '3', selector: '1', matching: '1', digest: 'AB CD' })).toMatchObject({
    name: '_443._tcp',
    text: '3 1 1 ABCD',
  });
  expect(caa.write({ tag: 'issue', value: 'letsencrypt.org' })?.text).toBe('0 issue "letsencrypt.org"');
  expect(mx.write({ name: '@', priority: 'ten', host: 'mail.example.com' })).toBeUndefined();
});
