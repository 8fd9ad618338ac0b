import { useEffect } from 'preact/hooks';
import { isPaletteOpen } from './slots.ts';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

/** Opens the palette with Ctrl+K, Cmd+K or `/`, except in text fields or dialogs. It works before the palette is loaded. */
export function useShortcut(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isChord = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'k';
      const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target);
      if (event.defaultPrevented || !(isChord || isSlash)) return;
      if (!isPaletteOpen.value && document.querySelector('dialog[open]')) return;
      event.preventDefault();
      isPaletteOpen.value = isChord ? !isPaletteOpen.value : true;
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}
