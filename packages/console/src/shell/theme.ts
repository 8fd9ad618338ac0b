import { signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** A matter of this screen, not of the person: the browser keeps it. */
const kept = localStorage.getItem('theme');
export const theme = signal<Theme>(themes.find((each) => each === kept) ?? 'system');

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem('theme', chosen);
  document.documentElement.dataset.theme = chosen;
}
document.documentElement.dataset.theme = theme.value;
