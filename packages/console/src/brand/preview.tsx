import { useEffect, useRef } from 'preact/hooks';
import { words } from './words.ts';

interface Given {
  readonly name: string;
  readonly colour: string;
  readonly dark: string;
  readonly logo: string | null;
}

/** What pages will look like, as one types, in both themes. */
export function Preview({ colour, dark, ...given }: Given) {
  const w = words();
  return (
    <section class="brand-preview" aria-label={w.preview}>
      <Sample title={w.light} look="on-light" colour={colour} {...given} />
      <Sample title={w.dark} look="on-dark" colour={dark} {...given} />
    </section>
  );
}

interface SampleGiven extends Pick<Given, 'name' | 'logo' | 'colour'> {
  readonly title: string;
  readonly look: 'on-light' | 'on-dark';
}

function Sample({ title, look, name, logo, colour }: SampleGiven) {
  const w = words();
  const box = useRef<HTMLDivElement>(null);
  // The policy forbids what is inline; the style of an element may be set.
  useEffect(() => {
    const isWhole = /^#[0-9a-f]{6}$/i.test(colour);
    if (isWhole) box.current?.style.setProperty('--accent', colour);
    else box.current?.style.removeProperty('--accent');
  }, [colour]);
  return (
    <div class={`brand-sample ${look}`} ref={box}>
      <p class="faint">{title}</p>
      <p class="brand-sample-name">
        {logo && <img class="logo" src={logo} alt="" />}
        <strong>{name || w.sampleName}</strong>
      </p>
      <p class="brand-sample-nav">{w.sampleNav}</p>
      <p>
        {w.sampleText} <span class="brand-sample-link">{w.sampleLink}</span>
      </p>
      <span class="brand-sample-button">{w.sampleButton}</span>
    </div>
  );
}
