import { RecordError } from '../error.ts';
import { defineType } from './define.ts';
import { domainName, type Field, inField, u16 } from './field.ts';
import { checkHost } from './host-field.ts';
import { keyText, mandatoryKeys, paramText, parseKey, parseParamValue, SVCB_KEYS } from './svcb-param.ts';

interface ServiceParam {
  readonly key: number;
  readonly value: Uint8Array;
}

/** RFC 9460 2.2: on the wire the keys are in ascending order without duplicates. */
const params: Field<'params', readonly ServiceParam[]> = {
  name: 'params',
  parse: (words) => {
    const found = new Map<number, Uint8Array>();
    while (words.left > 0) {
      const token = words.pair('params');
      const equals = token.text.indexOf('=');
      const name = equals < 0 ? token.text : token.text.slice(0, equals);
      const key = inField('params', () => parseKey(name));
      if (found.has(key)) throw new RecordError('params', `${name} is given twice`);
      const text = equals < 0 ? undefined : token.text.slice(equals + 1);
      found.set(
        key,
        inField(name.toLowerCase(), () => parseParamValue(key, text)),
      );
    }
    return [...found].sort(([a], [b]) => a - b).map(([key, value]) => ({ key, value }));
  },
  print: (list) => list.map((param) => paramText(param.key, param.value)).join(' '),
  write: (list, writer) => {
    for (const param of list) {
      writer.u16(param.key);
      writer.u16(param.value.length);
      writer.bytes(param.value);
    }
  },
  read: (reader) => {
    const list: ServiceParam[] = [];
    while (reader.left > 0) list.push({ key: reader.u16(), value: reader.bytes(reader.u16()) });
    return list;
  },
};

interface Service {
  priority: number;
  target: string;
  params: readonly ServiceParam[];
}

function checkService(rdata: Service): void {
  checkHost('target', rdata.target);
  const keys = rdata.params.map((param) => param.key);
  if (keys.some((key, at) => at > 0 && key <= keys[at - 1]!))
    throw new RecordError('params', 'are not in ascending order');
  // RFC 9460 2.4.2: priority 0 is an alias without service parameters.
  if (rdata.priority === 0 && keys.length > 0)
    throw new RecordError('params', 'the alias form (priority 0) takes none');
  const required = rdata.params.find((param) => param.key === SVCB_KEYS.mandatory);
  // RFC 9460 8
  for (const key of required ? mandatoryKeys(required.value) : []) {
    if (!keys.includes(key)) throw new RecordError('mandatory', `lists ${keyText(key)}, which is not given`);
  }
  // RFC 9460 7.1.1
  if (keys.includes(SVCB_KEYS['no-default-alpn']) && !keys.includes(SVCB_KEYS.alpn)) {
    throw new RecordError('no-default-alpn', 'needs alpn beside it');
  }
}

const service = [u16('priority'), domainName('target'), params] as const;

/** RFC 9460 2 */
export const SVCB = defineType('SVCB', 64, service, { check: checkService });
/** RFC 9460 9 */
export const HTTPS = defineType('HTTPS', 65, service, { check: checkService });
