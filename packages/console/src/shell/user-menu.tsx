import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { toastError } from '../components/toast.tsx';
import { messages } from '../messages/common.ts';
import { type Locale, locale, localeNames } from '../messages/locale.ts';
import { currentSession } from '../session/current-session.ts';
import { saveLocale, signOut, switchAccount } from '../session/session.ts';
import { setTheme, theme, themes } from './theme.ts';

const toastOnError = (work: Promise<unknown>) => void work.catch(toastError);

export function AccountMenu() {
  const t = messages();
  const { account, accounts } = currentSession.value!;
  if (accounts.length < 2) return <div class="account-name">{account.company}</div>;
  const items = accounts.map(({ reseller_id: id, company, is_operator }) => ({
    key: id,
    label: is_operator ? `${company} (${t.operator})` : company,
    isChosen: id === account.reseller_id,
    act: () => toastOnError(switchAccount(id)),
  }));
  return (
    <Menu label={`${t.changeAccount}: ${account.company}`} items={items} className="account-name">
      {account.company}
      <Icon name="down" />
    </Menu>
  );
}

export function UserMenu() {
  const t = messages();
  const { person } = currentSession.value!;
  const languages = (Object.keys(localeNames) as Locale[]).map((each) => ({
    key: each,
    label: localeNames[each],
    isChosen: each === locale.value,
    act: () => toastOnError(saveLocale(each)),
  }));
  const themeItems = themes.map((each) => ({
    key: each,
    label: t.themes[each],
    isChosen: each === theme.value,
    act: () => setTheme(each),
  }));
  return (
    <div class="person">
      <Menu
        label={person.name}
        className="button quiet person-name"
        items={[
          { key: 'me', label: t.me, href: '/app/me' },
          { key: 'out', label: t.signOut, act: () => void signOut() },
        ]}
      >
        <Icon name="user" />
        <span>{person.name}</span>
      </Menu>
      <Menu label={`${t.language}: ${locale.value.toUpperCase()}`} items={languages}>
        <span class="code">{locale.value.toUpperCase()}</span>
      </Menu>
      <Menu label={t.theme} items={themeItems}>
        <Icon name="sun" />
      </Menu>
    </div>
  );
}
