import { messages } from './messages.ts';

const contactStep = /^contact-(\d+)(-disclose|-proxy)?(-update)?$/;
const hostStep = /^host-(delete-)?(\S+\.\S+)$/;

export const contactOfStep = (step: string): string | undefined => contactStep.exec(step)?.[1];

/** What a step does, and the contact or nameserver that it is about. */
export function stepText(
  step: string,
  contactName: (id: string) => string | undefined,
): { readonly title: string; readonly about?: string } {
  const t = messages();
  const contact = contactStep.exec(step);
  if (contact) {
    const [, id = '', hidden, update] = contact;
    const name = contactName(id);
    const about = name === undefined ? t.contactId(id) : `${name} (${id})`;
    return { title: t.contactSteps[update ? 'update' : 'create'](hidden !== undefined), about };
  }
  const host = hostStep.exec(step);
  if (host) return { title: t.stepOf(host[1] ? 'host-delete' : 'host-create'), about: host[2]! };
  return { title: t.stepOf(step) };
}
