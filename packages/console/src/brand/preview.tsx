import { useEffect, useRef } from 'preact/hooks';
import { messages } from './messages.ts';

interface Props {
  readonly name: string;
  readonly colour: string;
  readonly dark: string;
  readonly logo: string | null;
}

/** A live preview in both themes. */
export function Preview({ colour, dark, ...props }: Props) {
  const t = messages();
  return (
    <section class="brand-preview" aria-label={t.preview}>
      <Sample title={t.light} background="on-light" colour={colour} {...props} />
      <Sample title={t.dark} background="on-dark" colour={dark} {...props} />
    </section>
  );
}

interface SampleProps extends Pick<Props, 'name' | 'logo' | 'colour'> {
  readonly title: string;
  readonly background: 'on-light' | 'on-dark';
}

function Sample({ title, background, name, logo, colour }: SampleProps) {
  const t = messages();
  const box = useRef<HTMLDivElement>(null);
  // The content security policy forbids inline styles but allows setting the style of an element.
  useEffect(() => {
    const isWhole = /^#[0-9a-f]{6}$/i.test(colour);
    if (isWhole) box.current?.style.setProperty('--accent', colour);
    else box.current?.style.removeProperty('--accent');
  }, [colour]);
  return (
    <div class={`brand-sample ${background}`} ref={box}>
      <p class="faint">{title}</p>
      <p class="brand-sample-name">
        {logo && <img class="logo" src={logo} alt="" />}
        <strong>{name || t.sampleName}</strong>
      </p>
      <p class="brand-sample-nav">{t.sampleNav}</p>
      <p>
        {t.sampleText} <span class="brand-sample-link">{t.sampleLink}</span>
      </p>
      <span class="brand-sample-button">{t.sampleButton}</span>
    </div>
  );
}
