import { Link, useNavigate } from '@tanstack/react-router';
import {
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { SayProvider } from '../api/say.ts';
import { useActing } from '../api/session-context.ts';
import { SignOut } from '../sign-in/sign-out.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ScreenIcon } from './screen-icon.tsx';
import { screens } from './screens.ts';
import styles from './shell.module.css';
import { applyTheme, onTheme, storedTheme, themes } from './theme.ts';
import { useKeptFocus } from './use-kept-focus.ts';

type Palette = typeof import('./palette/command-palette.tsx')['CommandPalette'];

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

const PlaceSwitch = () => {
  const { memberships, place, session } = useActing();
  const navigate = useNavigate();
  const go = (organization: string, environment: string): void =>
    void navigate({
      to: '/$organization/$environment/$screen',
      params: { organization, environment, screen: 'templates' },
    });
  return (
    <div className={styles.place}>
      <label>
        <span className="visually-hidden">Organization</span>
        <select value={place.organization} onChange={({ target }) => go(target.value, place.environment)}>
          {memberships.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="visually-hidden">Environment</span>
        <select
          value={place.environment}
          disabled={session.kind === 'key'}
          data-environment={place.environment}
          onChange={({ target }) => go(place.organization, target.value)}
        >
          <option value="production">production</option>
          <option value="preview">preview</option>
        </select>
      </label>
    </div>
  );
};

const themeNames = { system: 'Auto', light: 'Light', dark: 'Dark' } as const;

const ThemeSwitch = () => {
  const theme = useSyncExternalStore(onTheme, storedTheme);
  return (
    <label className={styles.theme} title="Colours of the page">
      <span className="visually-hidden">Colours</span>
      <select
        value={theme}
        onChange={({ target }) => applyTheme(themes.find((it) => it === target.value) ?? 'system')}
      >
        {themes.map((it) => (
          <option key={it} value={it}>
            {themeNames[it]}
          </option>
        ))}
      </select>
    </label>
  );
};

/** Says that the role was changed: what it does not allow is not offered any more. */
const useRoleNotice = (say: (words: ReactNode) => void): void => {
  const { organization, role, hasLeft } = useActing();
  const before = useRef({ id: organization.id, role });
  const onRole = useEffectEvent((): void => {
    const { id, role: earlier } = before.current;
    before.current = { id: organization.id, role };
    if (hasLeft || id !== organization.id || earlier === role) return;
    say(
      `Your role in ${organization.name} is ${role} now, and was ${earlier}. The page offers what it allows.`,
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two are what it looks at
  useEffect(() => onRole(), [organization.id, role]);
};

/** Stays in sight however far the page is scrolled. */
const Left = () => {
  const { organization } = useActing();
  return (
    <div className={styles.left} role="alert">
      <p>
        You are not a member of <bdi>{organization.name}</bdi> any more, so nothing can be saved or sent here.
        What you have written stays on this page until you leave it: copy what you need. An admin can invite
        you again.
      </p>
      <a href="/console/">Your organizations</a>
    </div>
  );
};

/** The frame of every screen: navigation, the organization and environment, who is signed in. */
export const Shell = ({ children }: { children: ReactNode }) => {
  const { session, place, role, hasLeft } = useActing();
  const [isOpen, setOpen] = useState(false);
  const [palette, showPalette] = useState<{ Palette: Palette }>();
  const [said, setSaid] = useState<{ words: ReactNode; count: number }>();
  const say = useCallback(
    (words: ReactNode) =>
      setSaid((before) => (words === undefined ? undefined : { words, count: (before?.count ?? 0) + 1 })),
    [],
  );
  // Loaded when it is first wanted. Without a network, or after an upgrade, the page stays as it is.
  const find = useCallback(
    () =>
      void import('./palette/command-palette.tsx').then(
        ({ CommandPalette }) => showPalette({ Palette: CommandPalette }),
        () =>
          say('Find could not be loaded: the network is away, or the console was upgraded. Reload the page.'),
      ),
    [say],
  );
  useRoleNotice(say);
  const frame = useRef<HTMLDivElement>(null);
  useKeptFocus(frame);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, metaKey, ctrlKey, altKey, shiftKey } = event;
      if (key === 'Escape') setOpen(false);
      // With Caps Lock the key is a capital letter.
      if (!(metaKey || ctrlKey) || altKey || shiftKey || key.toLowerCase() !== 'k') return;
      event.preventDefault();
      // A dialog that is open keeps the page, and with it the palette, away.
      if (document.querySelector('dialog[open]') === null) find();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [find]);
  return (
    <div ref={frame} className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to the content
      </a>
      <header className={styles.bar}>
        <Button
          look="quiet"
          className={styles.menu}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </Button>
        <Link
          to="/$organization/$environment/$screen"
          params={{ ...place, screen: 'templates' }}
          className={styles.brand}
          aria-label="Stanza"
        >
          <img src="/console/icon.svg" alt="" width="24" height="24" />
          <span>Stanza</span>
        </Link>
        <PlaceSwitch />
        <div className={styles.person}>
          <span className={styles.who}>
            {session.kind === 'person' ? (session.email ?? session.subject) : 'API key'} · {role}
          </span>
          <Button look="quiet" aria-keyshortcuts="Control+K Meta+K" onClick={find}>
            Find <kbd className={styles.keys}>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
          </Button>
          <ThemeSwitch />
          <SignOut say={say} />
        </div>
        {hasLeft && <Left />}
      </header>
      <nav id="navigation" aria-label="Main" className={styles.navigation} data-open={isOpen}>
        <ul>
          {screens.map(([screen, label]) => (
            <li key={screen}>
              <Link
                to="/$organization/$environment/$screen"
                params={{ ...place, screen }}
                className={styles.entry}
                activeProps={{ 'aria-current': 'page' }}
                onClick={() => setOpen(false)}
              >
                <ScreenIcon screen={screen} />
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main id="content" className={styles.content} tabIndex={-1} onPointerDown={() => setOpen(false)}>
        <SayProvider value={say}>{children}</SayProvider>
      </main>
      <Notice said={said} onHide={() => setSaid(undefined)} />
      {palette && (
        <SayProvider value={say}>
          <palette.Palette onClose={() => showPalette(undefined)} />
        </SayProvider>
      )}
    </div>
  );
};
