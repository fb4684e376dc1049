import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { keptWithin } from '../../api/kept-answer.ts';
import { api } from '../../api/operations.ts';
import { useSay } from '../../api/say.ts';
import { useActing } from '../../api/session-context.ts';
import { call } from '../../api/use-api.ts';
import { useSignOut } from '../../sign-in/sign-out.tsx';
import { useMay } from '../allowed.tsx';
import { screens } from '../screens.ts';
import { templateChoices } from '../template-choices.ts';
import { applyTheme, themes } from '../theme.ts';
import { useDestinations, useModals, useQueues } from '../whole-lists.ts';
import type { Command } from './commands.ts';

/** Fewer letters find too much; the API takes no fewer either. */
const minLetters = 2;

/** No name and no key is found by more; the API takes no more either. */
const maxLetters = 100;
/** What may be a key; the API refuses to look for anything else, ids included. */
const keyLike = /^(?![0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** What the buttons of the screen do, by their names: those of its head and of its toolbar. */
const commandsOfScreen = (): Command[] => {
  const places = '#content [data-actions] button, #content [role="toolbar"] button';
  return [...document.querySelectorAll<HTMLButtonElement>(places)]
    .filter((button) => button.ariaDisabled !== 'true' && button.offsetParent !== null)
    .map((button, at) => ({
      id: `here ${at}`,
      name: button.getAttribute('aria-label') ?? button.innerText.trim(),
      kind: 'Here' as const,
      run: () => button.click(),
    }))
    .filter(({ name }) => name !== '');
};

/** The templates that fit what is typed: by key where one is equal, then by name. */
const useFoundTemplates = (typed: string) => {
  const { place, may } = useActing();
  const q = typed.trim();
  return useQuery({
    queryKey: [place.organization, place.environment, 'palette', q],
    queryFn: async ({ signal }) => {
      const [byKey, byName] = await Promise.all([
        keyLike.test(q)
          ? call(api.listTemplates, place, { query: { key: q, limit: 1 } }, { signal })
          : undefined,
        call(api.searchTemplates, place, { query: { q, limit: 8 } }, { signal }),
      ]);
      const ofKey = byKey?.data ?? [];
      const known = new Set(ofKey.map(({ id }) => id));
      return [...ofKey, ...byName.data.filter(({ id }) => !known.has(id))];
    },
    enabled:
      /[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(q) &&
      q.length >= minLetters &&
      q.length <= maxLetters &&
      may('templates:read'),
    placeholderData: keptWithin(place),
    retry: false,
  });
};

const screenOf = { Queue: 'queues', Modal: 'modals', Destination: 'destinations' } as const;

interface Thing {
  readonly id: string;
  readonly name: string;
  readonly kind: keyof typeof screenOf;
}

/** Queues, modals and destinations, whose lists the API does not search. */
const useThings = (isSearching: boolean): Thing[] => {
  const mayQueues = useMay('organizations:read');
  const mayModals = useMay('modals:read');
  const mayDestinations = useMay('destinations:read');
  const queues = useQueues(mayQueues && isSearching).data;
  const modals = useModals(mayModals && isSearching).data;
  const destinations = useDestinations(mayDestinations && isSearching).data;
  return [
    ...(queues ?? []).map(({ id, name }): Thing => ({ id, name, kind: 'Queue' })),
    ...(modals ?? []).map(({ id, name }): Thing => ({ id, name, kind: 'Modal' })),
    ...(destinations ?? []).map(({ id, name }): Thing => ({ id, name, kind: 'Destination' })),
  ];
};

/** Everything that the palette can do here and now. */
export const useCommands = (typed: string): Command[] => {
  const { place } = useActing();
  const navigate = useNavigate();
  const { mutate: signOut } = useSignOut(useSay());
  const isSearching = typed.trim().length >= minLetters;
  const ofServer = useFoundTemplates(typed);
  const things = useThings(isSearching);
  // As the screen was when the palette was opened.
  const [here] = useState(commandsOfScreen);
  const fixed = useMemo((): Command[] => {
    const other = place.environment === 'production' ? 'preview' : 'production';
    const to = '/$organization/$environment/$screen' as const;
    return [
      ...screens.map(
        ([screen, name]): Command => ({
          id: screen,
          name,
          kind: 'Go to',
          run: () => void navigate({ to, params: { ...place, screen } }),
        }),
      ),
      {
        id: 'environment',
        name: `Environment ${other}`,
        kind: 'Go to',
        run: () => void navigate({ to, params: { ...place, environment: other, screen: 'templates' } }),
      },
      ...themes.map(
        (theme): Command => ({
          id: `theme ${theme}`,
          name: `Colours: ${theme}`,
          kind: 'Console',
          run: () => applyTheme(theme),
        }),
      ),
      { id: 'sign out', name: 'Sign out', kind: 'Console', run: () => signOut() },
    ];
  }, [place, navigate, signOut]);
  const names = new Map(templateChoices(ofServer.data ?? []));
  const templates = (ofServer.data ?? [])
    // What was found for other letters stands until the next answer only where it fits these by its name.
    .filter(
      ({ name }) => !ofServer.isPlaceholderData || name.toLowerCase().includes(typed.trim().toLowerCase()),
    )
    .map(
      ({ id, name }): Command => ({
        id,
        name: names.get(id) ?? name,
        kind: 'Template',
        run: () =>
          void navigate({
            to: '/$organization/$environment/templates/$template',
            params: { ...place, template: id },
          }),
      }),
    );
  const found = things.map(
    ({ id, name, kind }): Command => ({
      id,
      name,
      kind,
      run: () =>
        void navigate({
          to: '/$organization/$environment/$screen/$item',
          params: { ...place, screen: screenOf[kind], item: id },
        }),
    }),
  );
  return [...here, ...(isSearching ? [...templates, ...found] : []), ...fixed];
};
