import { commonTypes, otherTypes } from './draft.ts';
import { messages } from './messages.ts';

/** The record types of a menu, the common ones first. `now`: a type that is not offered for new records. */
export function TypeOptions({ now }: { readonly now?: string }) {
  const t = messages();
  const isExtra = now !== undefined && !commonTypes.includes(now) && !otherTypes.includes(now);
  return (
    <>
      {isExtra && <option>{now}</option>}
      <optgroup label={t.typeGroups.common}>
        {commonTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </optgroup>
      <optgroup label={t.typeGroups.other}>
        {otherTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </optgroup>
    </>
  );
}
