import type { Locator, Page, Route } from 'playwright-core';

/** States of a list and of one thing of it, in the order of the gallery. */
export const states = ['loading', 'empty', 'error', 'no permission', 'offline'] as const;

/** See {@link states}. */
export type State = (typeof states)[number];

/** A screen of the gallery of states. */
export interface StatesOf {
  title: string;
  /** Name of its picture. */
  slug: string;
  /** What stands where it has nothing; none for a screen that always has something. */
  empty?: string;
}

/** The screens of the navigation. */
export const listsInStates: readonly StatesOf[] = [
  { title: 'Templates', slug: 'templates', empty: 'No template yet' },
  { title: 'Modals', slug: 'modals', empty: 'No modal' },
  { title: 'Messages', slug: 'messages', empty: 'No message yet' },
  { title: 'Queues', slug: 'queues', empty: 'No queue' },
  { title: 'Schedules', slug: 'schedules', empty: 'No schedule' },
  { title: 'Destinations', slug: 'destinations', empty: 'No destination' },
  { title: 'Events', slug: 'events', empty: 'No subscription' },
  { title: 'Connections', slug: 'connections', empty: 'No workspace is connected' },
  { title: 'Keys', slug: 'keys', empty: 'No key' },
  { title: 'People', slug: 'people', empty: 'No member' },
  { title: 'Usage', slug: 'usage', empty: 'Nothing was used' },
  { title: 'Audit log', slug: 'audit-log', empty: 'No change matches' },
  { title: 'Settings', slug: 'settings' },
];

/** The screens of one thing, by the list that leads to it. */
export const detailsInStates: readonly (StatesOf & { list: string })[] = [
  { title: 'One template', slug: 'template', list: 'templates', empty: 'This template has no version' },
  { title: 'One modal', slug: 'modal', list: 'modals', empty: 'No version' },
  { title: 'One message', slug: 'message', list: 'messages', empty: 'No call yet' },
  { title: 'One queue', slug: 'queue', list: 'queues', empty: 'No batch' },
  { title: 'One schedule', slug: 'schedule', list: 'schedules', empty: 'No run yet' },
  { title: 'One destination', slug: 'destination', list: 'destinations', empty: 'No delivery' },
];

/** Whether a screen asks it, and not the frame of every screen: who is signed in, and what they may do. */
export const isOfAScreen = (url: string): boolean => /\/v1\/(?!users\/profile$|auth\/validate$)/.test(url);

const lists = ['data', 'attempts', 'runs', 'next_runs'] as const;

/** The answer of the server without what is in its lists. */
const emptied = (text: string): string => {
  const answer: Record<string, unknown> = JSON.parse(text);
  for (const name of lists) if (Array.isArray(answer[name])) answer[name] = [];
  return JSON.stringify(answer);
};

/** The server answers a key in place of the session: a cookie counts for requests of the page itself alone. */
const answerEmpty = async (route: Route, key: string): Promise<void> => {
  const request = route.request();
  if (new URL(request.url()).pathname === '/v1/chat-connection') {
    const body = { success: false, error: 'No workspace is connected.', code: 'not_found' };
    return route.fulfill({ status: 404, json: body });
  }
  const response = await fetch(request.url(), {
    method: request.method(),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: request.postData(),
  });
  const text = await response.text();
  await route.fulfill({
    status: response.status,
    contentType: 'application/json',
    body: response.ok ? emptied(text) : text,
  });
};

const answerError = (route: Route): Promise<void> =>
  route.fulfill({
    status: 500,
    headers: { 'X-Request-Id': '01a207bc-7588-76df-bb65-0b0c26efbd73' },
    json: { success: false, error: 'An unexpected error occurred.', code: 'internal_error' },
  });

/**
 * Has the page find this state at every question. Who lacks a permission is refused by the server itself.
 * @param key of the organization
 */
export const bringAbout = async (page: Page, state: State, key: string): Promise<void> => {
  if (state === 'no permission') return;
  const answers: Readonly<Record<typeof state, (route: Route, key: string) => Promise<void>>> = {
    // No answer comes while the page is looked at.
    loading: () => Promise.resolve(),
    empty: answerEmpty,
    error: answerError,
    offline: (route) => route.abort('internetdisconnected'),
  };
  await page.route(/\/v1\//, (route) =>
    isOfAScreen(route.request().url()) ? answers[state](route, key) : route.fallback(),
  );
};

/** What a person is told in a state, and what they can do about it. */
export const toldIn = (content: Locator, state: State, screen: StatesOf): readonly Locator[] => {
  const alert = content.getByRole('alert').first();
  const title = (name: string): Locator => alert.getByRole('heading', { name, exact: true });
  const retry = alert.getByRole('button', { name: 'Try again' });
  switch (state) {
    case 'loading':
      return [
        content
          .getByRole('status', { name: /^Loading/ })
          .first()
          .locator('span')
          .first(),
      ];
    case 'empty':
      return [content.getByRole('heading', { name: screen.empty ?? '', exact: true })];
    case 'error':
      return [title('That did not work'), alert.getByText(/^internal_error · request [0-9a-f-]{36}$/), retry];
    case 'no permission':
      return [title('You may not see this'), alert.getByText(/It takes the scope [a-z-]+:[a-z]+/)];
    case 'offline':
      return [title('No connection'), alert.getByText(/^The server cannot be reached/), retry];
  }
};
