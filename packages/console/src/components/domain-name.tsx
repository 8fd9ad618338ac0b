import { isMixed, unicodeOf } from '../data/idn.ts';
import { messages } from '../messages/common.ts';
import { Badge } from './status-icon.tsx';

/** A domain name in Unicode, followed by its ASCII form if that differs. */
export function DomainName({ name }: { readonly name: string }) {
  const unicode = unicodeOf(name);
  if (unicode === name) return <>{name}</>;
  return (
    <span class="name-text">
      <bdi>{unicode}</bdi> <code class="faint">{name}</code>
      {isMixed(unicode) && <Badge tone="warn">{messages().mixed}</Badge>}
    </span>
  );
}
