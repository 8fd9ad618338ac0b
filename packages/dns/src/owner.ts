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

/** The letters an owner name may have: LDH and the underscore, "*" only as the whole leftmost label. */
export function checkOwner(owner: Name, type: string): void {
  const labels = labelsOf(owner);
  labels.forEach((label, at) => {
    if (label === '*' && at === 0) return;
    if (label.includes('*')) throw new RecordError('name', '"*" may only be the whole leftmost label');
    const allowed = HOST_TYPES.has(type) ? OWNER_LABEL : REVERSE_LABEL;
    if (!allowed.test(label))
      throw new RecordError('name', `label "${label}" has characters that names here do not have`);
  });
}

export function warnOwner(owner: Name, type: string): Warning[] {
  const shape = UNDERSCORED[type];
  if (shape && !shape.form.test(owner))
    return [{ field: 'name', reason: `a ${type} record belongs at ${shape.shape}` }];
  if (HOST_TYPES.has(type) && owner.includes('_'))
    return [{ field: 'name', reason: `host name "${owner}" has an underscore` }];
  return [];
}
