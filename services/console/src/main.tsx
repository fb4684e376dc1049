import './styles/tokens.css';
import './styles/base.css';
import {
  MutationCache,
  notifyManager,
  QueryCache,
  QueryClient,
  QueryClientProvider,
} from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/request.ts';
import { refreshRights } from './api/rights-again.ts';
import type { Session } from './api/session.ts';
import { router } from './router.tsx';
import { applyTheme, storedTheme } from './shell/theme.ts';

/** Only what may be different a moment later is asked again. */
const isWorthRetrying = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503);

/**
 * The next request shows that a session has ended or a role has changed: the person and their rights are read again.
 */
const onError = (error: Error): void => {
  if (error instanceof ApiError && error.status === 401)
    void queries.invalidateQueries({ queryKey: ['session'] });
  refreshRights(queries, error);
};

/** A form may go on with a session that has begun in another tab: who is signed in is known again before the form ends. */
const onSuccess = async (): Promise<void> => {
  const session = queries.getQueryData<Session>(['session']);
  if (session?.kind === 'none') await queries.invalidateQueries({ queryKey: ['session'] });
};

const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError, onSuccess }),
  defaultOptions: {
    // Without a network a request fails and says so, instead of waiting for one.
    queries: {
      retry: isWorthRetrying,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      refetchOnReconnect: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// A button is busy before the browser hears of another press: a bouncing mouse would create two keys.
notifyManager.setScheduler(queueMicrotask);

applyTheme(storedTheme());
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
