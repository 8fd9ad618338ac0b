/** One document per line; `\u000a` stands for the character. */
const lines = (raw: string): string[] =>
  raw
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      line.replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    );

const DOCUMENTS = lines(String.raw`
<
<a
<a>
<a/
<a/ >
<a//>
</a>
< a/>
<a></b>
<a></a></a>
<a><b></a></b>
<a></a b>
<a></a\u000a>
<a/><b/>
<a/>x
x<a/>
<a/> \u000a
 <a/>
<a/>&amp;
&amp;<a/>
<a/><!-- -->
<!-- --><a/>
<a><![CDATA[b]]></a>
<1/>
<-a/>
<a.b-c_d/>
<a:b:c/>
<:a/>
<a:/>
<é/>
<a é="x"/>
<xmla/>
<XML/>
<a xmlb="x"/>
<a b=1/>
<a b/>
<a b=""/>
<a b="x"c="y"/>
<a b = "x"/>
<a\u0009b="x"\u000a c="y" />
<a b="<"/>
<a b=">"/>
<a b='"'/>
<a b="'"/>
<a b='x" c="y'/>
<a b="x
<a b="x\u000ay"/>
<a b="x\u0009y"/>
<a b="x\u000dy"/>
<a b="]]>"/>
<a b="1" b="2"/>
<a b="1" b="1"/>
<a constructor="1" toString="2"/>
<a constructor="1" constructor="2"/>
<a>]]></a>
<a>]]&gt;</a>
<a>]] ></a>
<a>&lt</a>
<a>&amp;lt;</a>
<a>&apos;&quot;&gt;</a>
<a>&</a>
<a>&;</a>
<a>&#65;</a>
<a>&#0;</a>
<a>&#x110000;</a>
<a>&LT;</a>
<a b="&amp;&lt;&quot;"/>
<a b="&x;"/>
<a>&nbsp;</a>
<a>x\u000d\u000ay</a>
<a>x\u000dy</a>
\ufeff<a/>
<\ufeffa/>
<a\u00a0b="x"/>
<a>\u00a0</a>
<a/>\u00a0
<?xml version="1.0"?><a/>
<?xml version="1.1"?><a/>
<?xml version="2.0"?><a/>
<?xml version="1.0" encoding="UTF-8"?>\u000a<a>é</a>
<?xml version="1.0" encoding="utf-8"?><a>é</a>
<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>
<?xml version="1.0" encoding="UTF-16"?><a>é</a>
<?xml version="1.0" encoding="ASCII"?><a>é</a>
<?xml version="1.0" encoding="x"?><a>é</a>
<?xml version="1.0" standalone="yes"?><a/>
<?xml version="1.0" standalone="maybe"?><a/>
<?xml version="1.0" standalone="no" encoding="UTF-8"?><a/>
 <?xml version="1.0"?><a/>
<?xml version="1.0" ?><a/>
<?xml?><a/>
<?xml version="1.0"?><?xml version="1.0"?><a/>
<p:a/>
<a p:b="1"/>
<a xmlns:p="urn:x:y"><p:b/></a>
<a><b xmlns:p="urn:x:y"/><p:c/></a>
<p:a xmlns:p="urn:x:y"></p:a>
<p:a xmlns:p="urn:x:y"></q:a>
<p:a xmlns:p="urn:x:y" xmlns:q="urn:x:y"></q:a>
<a xmlns:p="urn:x:y" xmlns:p="urn:x:z"/>
<a xmlns="urn:x:y" xmlns="urn:x:y"/>
<a xmlns:p="urn:x:y" xmlns:q="urn:x:y" p:b="1" q:b="2"/>
<a xmlns="urn:x:y" xmlns:q="urn:x:y" b="1" q:b="2"/>
<a xmlns:xml="urn:x:y"/>
<a xmlns:xmlns="urn:x:y"/>
<a xmlns:xmlp="urn:x:y"/>
<a xmlns:XML="urn:x:y"/>
<a xmlns:="urn:x:y"/>
<a xmlns:p:q="urn:x:y"/>
<a xmlns:1="urn:x:y"/>
<a xml:lang="en"/>
<a xml:space="odd"/>
<a xml:id="1 2"/>
<a xml:b="c"/>
<xml:a/>
<xmlns:a/>
`);

const CHARACTERS = lines(String.raw`
\u0000
\u0001
\u000b
\u001f
\u007f
\u0085
\u2028
\ud7ff
\ue000
\ufffd
\ufffe
\uffff
😀
`);

const NAMESPACES = lines(`
x
urn:
urn:x
urn:x:
urn:x:y z
urn:x:%
urn:x:é
no uri
//
http:
http://
http://x
http://x.y/
http://x.y/a
http://x.y:z/a
http://x.y/a#
http://x.y/a##
http://x..y/a
http://x-y.z/a
http://x-.y-/a
http://x.-y/a
http://[/a
http://x.y/a b
http://x.y/&amp;
http://1.2/a
http://www.w3.org/2001/XMLSchema-instance
http://www.w3.org/2000/09/xmldsig#
http://www.w3.org/2000/xmlns/
http://www.w3.org/2000/xmlns/x
http://www.w3.org/XML/1998/namespace
http://www.w3.org/XML/1998/namespacex
`);

/** Documents close to the subset that is read without libxml2: some are well-formed, some are not. */
export const NEAR_PLAIN: readonly string[] = [
  '',
  ...DOCUMENTS,
  ...CHARACTERS.map((each) => `<a b="${each}">${each}</a>`),
  ...['', ...NAMESPACES].flatMap((uri) => [`<a xmlns="${uri}"/>`, `<a xmlns:p="${uri}" p:b=""/>`]),
];
