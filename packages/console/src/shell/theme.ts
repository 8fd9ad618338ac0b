import { signal } from '@preact/signals';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The theme belongs to the browser, not to the user. */
const saved = localStorage.getItem('theme');
export const theme = signal<Theme>(themes.find((each) => each === saved) ?? 'system');

export function setTheme(chosen: Theme): void {
  theme.value = chosen;
  localStorage.setItem('theme', chosen);
  document.documentElement.dataset.theme = chosen;
}
document.documentElement.dataset.theme = theme.value;
