import { isMixed, unicodeOf } from '../data/idn.ts';
import { words } from '../words/words.ts';
import { Badge } from './light.tsx';

/** A name as people write it, with what the registry has beside it where that differs. */
export function NameText({ name }: { readonly name: string }) {
  const shown = unicodeOf(name);
  if (shown === name) return <>{name}</>;
  return (
    <span class="name-text">
      <bdi>{shown}</bdi> <code class="faint">{name}</code>
      {isMixed(shown) && <Badge tone="warn">{words().mixed}</Badge>}
    </span>
  );
}
