import { createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { EditorScreen } from './editor/index.tsx';
import { DetailByName, ScreenByName } from './screens/screen-by-name.tsx';
import { Entry, OrganizationFrame, Start } from './shell/entry.tsx';
import { NoSuchAddress } from './shell/no-such-address.tsx';
import { Join } from './sign-in/join.tsx';
import { Broken, Loading } from './ui/states.tsx';

const root = createRootRoute({ component: Entry, notFoundComponent: NoSuchAddress });
const start = createRoute({ getParentRoute: () => root, path: '/', component: Start });
const join = createRoute({ getParentRoute: () => root, path: '/join', component: Join });
const organization = createRoute({
  getParentRoute: () => root,
  path: '/$organization/$environment',
  component: OrganizationFrame,
});
const first = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: () => (
    <Navigate from="/$organization/$environment" to="$screen" params={{ screen: 'templates' }} replace />
  ),
});
const template = createRoute({
  getParentRoute: () => organization,
  path: 'templates/$template',
  component: EditorScreen,
  pendingComponent: Loading,
});
const screen = createRoute({ getParentRoute: () => organization, path: '$screen', component: ScreenByName });
const detail = createRoute({
  getParentRoute: () => organization,
  path: '$screen/$item',
  component: DetailByName,
});

/** The addresses of the console, below `/console`. */
export const router = createRouter({
  routeTree: root.addChildren([start, join, organization.addChildren([first, template, screen, detail])]),
  basepath: '/console',
  defaultPreload: false,
  defaultErrorComponent: Broken,
  scrollRestoration: true,
  // Filters in the address are plain text: readable, and the same when they are pasted.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
