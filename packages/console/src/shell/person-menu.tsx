import { asTrouble } from '../api/trouble.ts';
import { Icon } from '../parts/icon.tsx';
import { Menu } from '../parts/menu.tsx';
import { toast } from '../parts/toast.tsx';
import { saveLanguage, signOut, switchAccount } from '../session/session.ts';
import { who } from '../session/who.ts';
import { type Language, language, languageNames } from '../words/speak.ts';
import { words } from '../words/words.ts';
import { setTheme, theme, themes } from './theme.ts';

const told = (work: Promise<unknown>) => void work.catch((error: unknown) => toast(asTrouble(error).message));

export function AccountMenu() {
  const w = words();
  const { account, accounts } = who.value!;
  if (accounts.length < 2) return <div class="account-name">{account.company}</div>;
  const items = accounts.map(({ reseller_id: id, company, is_operator }) => ({
    key: id,
    label: is_operator ? `${company} (${w.operator})` : company,
    isChosen: id === account.reseller_id,
    act: () => told(switchAccount(id)),
  }));
  return (
    <Menu label={`${w.changeAccount}: ${account.company}`} items={items} look="account-name">
      {account.company}
      <Icon name="down" />
    </Menu>
  );
}

export function PersonMenu() {
  const w = words();
  const { person } = who.value!;
  const languages = (Object.keys(languageNames) as Language[]).map((each) => ({
    key: each,
    label: languageNames[each],
    isChosen: each === language.value,
    act: () => told(saveLanguage(each)),
  }));
  const looks = themes.map((each) => ({
    key: each,
    label: w.themes[each],
    isChosen: each === theme.value,
    act: () => setTheme(each),
  }));
  return (
    <div class="person">
      <Menu
        label={person.name}
        look="button quiet person-name"
        items={[
          { key: 'me', label: w.me, href: '/app/me' },
          { key: 'out', label: w.signOut, act: () => void signOut() },
        ]}
      >
        <Icon name="person" />
        <span>{person.name}</span>
      </Menu>
      <Menu label={`${w.language}: ${language.value.toUpperCase()}`} items={languages}>
        <span class="code">{language.value.toUpperCase()}</span>
      </Menu>
      <Menu label={w.theme} items={looks}>
        <Icon name="sun" />
      </Menu>
    </div>
  );
}
