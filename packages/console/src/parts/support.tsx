import { brand } from '../session/brand.ts';
import { words } from '../words/words.ts';

/** Whom to ask for help, as the brand says it: an address that can be opened is a link. */
export function Support() {
  const w = words();
  const text = brand()?.support;
  if (!text) return null;
  const href = /^\S+@\S+\.\S+$/.test(text) ? `mailto:${text}` : /^https:\/\/\S+$/.test(text) ? text : undefined;
  return (
    <p class="support faint">
      {w.help} {href ? <a href={href}>{text}</a> : text}
    </p>
  );
}
