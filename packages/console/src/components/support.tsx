import { messages } from '../messages/common.ts';
import { brand } from '../session/brand.ts';

/** The support contact of the brand, as a link if it is an address. */
export function Support() {
  const t = messages();
  const text = brand()?.support;
  if (!text) return null;
  const href = /^\S+@\S+\.\S+$/.test(text) ? `mailto:${text}` : /^https:\/\/\S+$/.test(text) ? text : undefined;
  return (
    <p class="support faint">
      {t.help} {href ? <a href={href}>{text}</a> : text}
    </p>
  );
}
