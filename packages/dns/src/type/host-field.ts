import { isAddress } from '../address.ts';
import { RecordError, type Warning } from '../error.ts';
import { labelsOf, ROOT } from '../name.ts';
import { domainName, type Field } from './field.ts';

const HOST_LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i;

/** The name of a host: refuses addresses and characters that host names do not allow. */
export function hostName<K extends string>(name: K): Field<K, string> {
  const any = domainName(name);
  return {
    ...any,
    parse: (words, context) => {
      const text = words.peek()?.text ?? '';
      if (isAddress(text.replace(/\.$/, '')))
        throw new RecordError(name, `"${text}" is an IP address; enter a host name`);
      const host = any.parse(words, context);
      checkHost(name, host);
      return host;
    },
  };
}

export function checkHost(field: string, host: string): void {
  if (host === ROOT) return;
  const bad = labelsOf(host).find((label) => !HOST_LABEL.test(label));
  if (bad !== undefined) throw new RecordError(field, `"${bad}" is not a label of a host name`);
  // A last label of digits is an address entered as a name (RFC 1123 2.1).
  if (/^\d+$/.test(labelsOf(host).at(-1) ?? ''))
    throw new RecordError(field, `"${host}" ends in a number like an IP address`);
}

export function refuseRoot(field: string, host: string): void {
  if (host === ROOT) throw new RecordError(field, 'the root is not a host name');
}

export function warnHost(field: string, host: string): Warning[] {
  return host.includes('_') ? [{ field, reason: `host name "${host}" has an underscore` }] : [];
}
