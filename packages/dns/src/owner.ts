import { RecordError, type Warning } from './error.ts';
import { labelsOf, type Name } from './name.ts';

const HOST_TYPES = new Set(['A', 'AAAA', 'MX']);
const OWNER_LABEL = /^[a-z0-9_-]+$/;
// RFC 2317 4: classless reverse delegation writes ranges such as 0/25.
const REVERSE_LABEL = /^[a-z0-9_/-]+$/;
const UNDERSCORED: Readonly<Record<string, { form: RegExp; shape: string }>> = {
  SRV: { form: /^_[^.]+\._[^.]+\./, shape: '_service._proto' },
  TLSA: { form: /^(?:_\d+|\*)\._[^.]+\./, shape: '_port._proto' },
  SMIMEA: { form: /^[0-9a-f]{56}\._smimecert\./, shape: '<hash>._smimecert' },
  OPENPGPKEY: { form: /^[0-9a-f]{56}\._openpgpkey\./, shape: '<hash>._openpgpkey' },
};

/** RFC 2181 11 allows any octet in a label. Only printable characters are accepted here, so that every nameserver and panel can show it. */
export function checkOwner(owner: Name): void {
  for (const label of labelsOf(owner))
    if (!isPrintable(label)) throw new RecordError('name', `label "${label}" has characters that are not allowed here`);
}

/** In canonical text a character is written plainly, after a backslash, or as \DDD. */
function isPrintable(label: string): boolean {
  return [...label.matchAll(/\\(?:(\d{3})|.)/g)].every(
    ([, octet]) => octet === undefined || isPrintableOctet(Number(octet)),
  );
}

const isPrintableOctet = (octet: number) => octet > 0x20 && octet < 0x7f;

export function warnOwner(owner: Name, type: string): Warning[] {
  const labels = labelsOf(owner);
  // RFC 4592 2.1.3: a star inside a label is an ordinary character.
  if (labels.some((label, at) => label.includes('*') && !(at === 0 && label === '*')))
    return [
      {
        field: 'name',
        reason: `"*" is a wildcard only as the whole leftmost label; in "${owner}" it is an ordinary character`,
      },
    ];
  const usual = HOST_TYPES.has(type) ? OWNER_LABEL : REVERSE_LABEL;
  const unusual = labels.find((label) => label !== '*' && !usual.test(label));
  if (unusual !== undefined)
    return [{ field: 'name', reason: `label "${unusual}" has characters that host names do not allow` }];
  const shape = UNDERSCORED[type];
  if (shape && !shape.form.test(owner))
    return [{ field: 'name', reason: `a ${type} record belongs at ${shape.shape}` }];
  if (HOST_TYPES.has(type) && owner.includes('_'))
    return [{ field: 'name', reason: `host name "${owner}" has an underscore` }];
  return [];
}
