/** Names that a caller may send, each with its stored form, or undefined for a refusal. */
interface NameCase {
  readonly input: string;
  readonly stored: string | undefined;
  /** The rule that applies. */
  readonly rule: string;
}

const l63 = 'a'.repeat(63);
const l61 = 'b'.repeat(61);

const accepted = (rule: string, cases: Record<string, string>): NameCase[] =>
  Object.entries(cases).map(([input, stored]) => ({ input, stored, rule }));
const same = (rule: string, names: readonly string[]): NameCase[] =>
  names.map((input) => ({ input, stored: input, rule }));
const refused = (rule: string, names: readonly string[]): NameCase[] =>
  names.map((input) => ({ input, stored: undefined, rule }));

const sizes: NameCase[] = [
  ...same('RFC 1035 2.3.4: 63 octets a label, 253 a name', [
    `${l63}.com`,
    `${l63}.${l63}.${l63}.${l61}`,
    'a.b',
    '0.1',
    'com',
  ]),
  ...refused('RFC 1035 2.3.4: 63 octets a label, 253 a name', [
    `a${l63}.com`,
    `www.${l63}a.com`,
    `${l63}.${l63}.${l63}.${l61}b`,
    `${'a.'.repeat(127)}a`,
    `${'ü'.repeat(60)}.com`,
    '寿限無五劫擦切海砂利水魚行末雲来末風来末食寝処住処.jp',
    'x'.repeat(1_001),
    `${'a.'.repeat(5_000)}com`,
  ]),
  ...accepted('RFC 5890 2.3.2.1: the A-label counts, not its U-label', {
    [`${'ü'.repeat(56)}.com`]: 'xn--tdaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com',
  }),
];

const dots: NameCase[] = [
  ...accepted('RFC 5895 2.4 and the root: full stops of other scripts, one trailing dot', {
    'example.com.': 'example.com',
    'example。com': 'example.com',
    'example．com': 'example.com',
    'example｡com': 'example.com',
    'example.com。': 'example.com',
    '日本語。jp': 'xn--wgv71a119e.jp',
    '  example.com ': 'example.com',
    'example.com\n': 'example.com',
  }),
  ...refused('RFC 5890 2.3.2.3: no label is empty', [
    '',
    ' ',
    '.',
    '..',
    '。',
    '.com',
    'example..com',
    'example.com..',
    'example。。com',
    'a.｡b',
    '...com',
  ]),
  ...refused('a character that looks like a dot but is none of the four', [
    'example․com',
    'example‧com',
    'example·com',
    'example﹒com',
    'a⒈com',
  ]),
];

const hyphens: NameCase[] = [
  ...same('RFC 5891 4.2.3.1: hyphens inside a label', [
    'a-b.com',
    'a--b.com',
    'a-b-c-d.com',
    'abc--d.com',
    '1-2.com',
    'abc---d.com',
  ]),
  ...refused('RFC 5891 4.2.3.1: none at the ends, not both in the third and fourth place', [
    '-a.com',
    'a---b.com',
    'a-.com',
    '-.com',
    '--.com',
    'ab--cd.com',
    'aa--.com',
    'zz--example.com',
    '12--34.com',
    'xx--y.com',
    'www.ab--cd.com',
    'xm--bcher-kva.com',
    '-ü.com',
    'ü-.com',
    'üü--ü.com',
    '−a.com',
    'a–b.com',
  ]),
];

const letters: NameCase[] = [
  ...accepted('RFC 4343: ASCII has no case', {
    'EXAMPLE.COM': 'example.com',
    'eXaMpLe.CoM': 'example.com',
    'XN--BCHER-KVA.DE': 'xn--bcher-kva.de',
    'Xn--Bcher-Kva.De': 'xn--bcher-kva.de',
    '007.COM': '007.com',
  }),
  ...refused('RFC 1123 2.1: letters, digits and hyphens', [
    'exa mple.com',
    'exa_mple.com',
    '_dmarc.example.com',
    'exam!ple.com',
    'example.com/',
    'http://example.com',
    'user@example.com',
    'example.com:443',
    '*.example.com',
    'exa%6dple.com',
    'exa\\.mple.com',
    'exa\u0000mple.com',
    'exa\u0007mple.com',
    'exa\tmple.com',
    'exa\nmple.com',
    'exa\u007fmple.com',
    "o'brien.com",
    '<script>.com',
    'a&b.com',
    '[::1]',
    '(a).com',
    'a+b.com',
    'a~b.com',
    'exam"ple.com',
  ]),
];

const uLabels: NameCase[] = [
  ...accepted('RFC 5892 2: letters and digits of all scripts are PVALID', {
    'bücher.de': 'xn--bcher-kva.de',
    'faß.de': 'xn--fa-hia.de',
    'βόλος.com': 'xn--nxasmm1c.com',
    'españa.es': 'xn--espaa-rta.es',
    'münchen.de': 'xn--mnchen-3ya.de',
    'ёлка.рф': 'xn--80atc1g.xn--p1ai',
    '中国.cn': 'xn--fiqs8s.cn',
    '例え.テスト': 'xn--r8jz45g.xn--zckzah',
    '한국.kr': 'xn--3e0b707e.kr',
    'ไทย.th': 'xn--o3cw4h.th',
    '𐌰.com': 'xn--ec8c.com',
    'ə.az': 'xn--sna.az',
    'a۰.com': 'xn--a-hyc.com',
  }),
  ...accepted('RFC 5895 2: case, width and composition are normalised', {
    'BÜCHER.de': 'xn--bcher-kva.de',
    'bu\u0308cher.de': 'xn--bcher-kva.de',
    'BU\u0308CHER.DE': 'xn--bcher-kva.de',
    'ｅｘａｍｐｌｅ.com': 'example.com',
    'ＥＸＡＭＰＬＥ．ＣＯＭ': 'example.com',
    'ｱ.com': 'xn--cck.com',
    'ｶﾞ.com': 'xn--mck.com',
    'ｘｎ－－ｂｃｈｅｒ－ｋｖａ.de': 'xn--bcher-kva.de',
    '\u212angstrom.com': 'kngstrom.com',
    'ẞ.com': 'xn--zca.com',
    'İ.com': 'xn--i-9bb.com',
  }),
  ...refused('RFC 5892: symbols, marks and punctuation are DISALLOWED', [
    '☃.com',
    '💩.la',
    '❤️.com',
    '👨‍👩‍👧.com',
    '🇩🇪.com',
    '1️⃣.com',
    '™.com',
    '€.com',
    'a…b.com',
    '★star.com',
    '“quoted”.com',
    'a／b.com',
    'a：b.com',
    'ｅｘａ　ｍｐｌｅ.com',
    '─.com',
    'a\u2028b.com',
    'a\ufffdb.com',
    'a\ud800b.com',
    'a\u{e0041}b.com',
    'a\u{10fffe}b.com',
    'x͵.com',
  ]),
  ...refused('RFC 5891 4.1: no character is dropped or mapped to another', [
    'exa\u00admple.com',
    'exa\u200bmple.com',
    'exa\u2060mple.com',
    'exa\ufeffmple.com',
    'exa\ufe0fmple.com',
    'ﬁnance.com',
    'x²y.com',
    '①.com',
    'ⅷ.com',
    '𝐞xample.com',
    '𝟘.com',
    'ª.com',
    '℀.com',
    '㎏.com',
    '㈱.jp',
    'ĳs.nl',
    'ŀ.cat',
    'ſ.com',
    'ﷺ.com',
    'ﻻ.com',
  ]),
  ...refused('RFC 5891 4.2.3.2: no label begins with a combining mark', [
    '\u0300a.com',
    '\u0301.com',
    'www.\u0308u.com',
    'ैक.com',
    '\u{1e8d0}a.com',
  ]),
];

const context: NameCase[] = [
  ...accepted('RFC 5892 A: joiners and context characters where they belong', {
    'क्\u200dष.com': 'xn--11b2ezcw70k.com',
    'क्\u200cष.com': 'xn--11b2ezcs70k.com',
    'نامه\u200cای.com': 'xn--mgba3gch31f060k.com',
    'l·l.cat': 'xn--ll-0ea.cat',
    'col·lecció.cat': 'xn--collecci-ioa91d.cat',
    '͵α.gr': 'xn--wva4j.gr',
    'א׳.com': 'xn--4db4e.com',
    'א״ב.com': 'xn--4dbc8h.com',
    'ア・ア.com': 'xn--ccka0y.com',
  }),
  ...refused('RFC 5892 A.1, A.2: joiners elsewhere', [
    'a\u200cb.com',
    'a\u200db.com',
    '\u200c.com',
    '\u200d.com',
    'exam\u200cple.com',
    'example\u200d.com',
    'नी\u200dx.com',
    'क\u200cष.com',
  ]),
  ...refused('RFC 5892 A.3 to A.9: context characters elsewhere', [
    'l·a.cat',
    'a·l.cat',
    '·l.cat',
    'l·.cat',
    'l··l.cat',
    '͵a.gr',
    'α͵.gr',
    '׳א.com',
    'a׳.com',
    'a״b.com',
    'a・b.com',
    '・.com',
    'ب٠۰.com',
    'ا٣۳.com',
  ]),
];

const bidi: NameCase[] = [
  ...accepted('RFC 5893 2: right-to-left labels that keep their order', {
    'שלום.com': 'xn--9dbne9b.com',
    'موقع.com': 'xn--4gbrim.com',
    'א1.com': 'xn--1-zhc.com',
    'אב-ג.com': 'xn----zhcdf.com',
    'ا٣.com': 'xn--mgb4j.com',
    'a.א': 'a.xn--4db',
    'a1.א': 'a1.xn--4db',
    'مثال.إختبار': 'xn--mgbh0fb.xn--kgbechtv',
  }),
  ...refused('RFC 5893 2: labels whose display order would be ambiguous', [
    'אa.com',
    'aא.com',
    '1א.com',
    'אa1.com',
    'א-.com',
    '٣.com',
    '٣ا.com',
    'ا1٣.com',
    '1.א',
    '123.שלום',
    'a-1b.1א',
    'xn--4db.1',
    'א\u202eb.com',
    '\u202egpj.com',
    '\u200fa.com',
    'a\u2066b.com',
    '\u061cا.com',
  ]),
];

const aLabels: NameCase[] = [
  ...same('RFC 5890 2.3.2.1: an A-label is what its U-label encodes to', [
    'xn--bcher-kva.de',
    'xn--fa-hia.de',
    'xn--wgv71a119e.jp',
    'xn--nxasmm1c.com',
    'www.xn--mnchen-3ya.de',
    'xn--11b2ezcw70k.com',
    'xn--ll-0ea.cat',
    'xn--4db.com',
  ]),
  ...refused('RFC 5891 5.4: an A-label without a valid U-label', [
    'xn--.com',
    'xn--a.com',
    'xn---.com',
    'xn--a-.com',
    'xn--example-.com',
    'xn--example.com',
    'xn--bcher-kvb.de',
    'xn--zzzzzz9999.com',
    'xn--99999999.com',
    'xn--ls8h.la',
    'xn--n3h.com',
    'xn--bcher-kva-.de',
    'xn--bücher-kva.de',
    'xn--ü.com',
    // A capital Ü, a snowman, a combining mark first, a soft hyphen, a ligature, u with a separate umlaut, a joiner between a and b.
    'xn--bcher-2pa.de',
    'xn--a-1xp.ru',
    'xn--tda74h.com',
    'xn--ab-5da.com',
    'xn--x-sy8h.com',
    'xn--bucher-xyd.de',
    'xn--ab-m1t.com',
    // Right-to-left with a left-to-right letter in it.
    'xn--a-zhc.com',
    'xn--1-0hc.com',
    'XN--N3H.com',
    'xn--xn---epa.com',
    'xn--80ak6aa92e\u0300.com',
  ]),
];

/** Two scripts in one label are legal names (RFC 5890 4.4 leaves confusables to the registry's own policy). */
const mixed: NameCase[] = accepted('RFC 5890 4.4: mixed scripts are left to registry policy', {
  'аpple.com': 'xn--pple-43d.com',
  'pаypal.com': 'xn--pypal-4ve.com',
  'аррӏе.com': 'xn--80ak6aa92e.com',
  'ｇｏｏgle.com': 'google.com',
  'goоgle.com': 'xn--gogle-kye.com',
  'ΑΒΓ.com': 'xn--mxacd.com',
  '日本go.jp': 'xn--go-5t7du0c.jp',
});

export const nameCases: readonly NameCase[] = [
  ...sizes,
  ...dots,
  ...hyphens,
  ...letters,
  ...uLabels,
  ...context,
  ...bidi,
  ...aLabels,
  ...mixed,
];
